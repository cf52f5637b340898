#include "account.h"

#include "mem.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 8 };

enum eve_status eve_account_new(struct eve_account **out, struct eve_slice name,
                                const uint64_t seed[2], struct eve_err *err)
{
    struct eve_account *a = NULL;
    enum eve_status status = eve_mem_resize(&a, 1, sizeof *a, err);
    if (status != EVE_OK) {
        return status;
    }
    *a = (struct eve_account){.state = EVE_ACCOUNT_READ};
    eve_buf_init(&a->name, SIZE_MAX / 2);
    eve_buf_init(&a->rule, SIZE_MAX / 2);
    eve_tally_init(&a->tally, seed);
    eve_rows_init(&a->rows, seed);
    status = eve_buf_put(&a->name, name, err);
    if (status != EVE_OK) {
        eve_account_free(a);
        return status;
    }
    *out = a;
    return EVE_OK;
}

void eve_account_free(struct eve_account *a)
{
    if (a == NULL) {
        return;
    }
    for (size_t i = 0; i < a->largest_count; i++) {
        eve_row_fini(&a->largest[i]);
    }
    eve_buf_fini(&a->name);
    eve_buf_fini(&a->rule);
    eve_tally_fini(&a->tally);
    eve_rows_fini(&a->rows);
    eve_mem_free(a);
}

void eve_accounts_init(struct eve_accounts *list)
{
    *list = (struct eve_accounts){0};
}

void eve_accounts_fini(struct eve_accounts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        eve_account_free(list->list[i]);
    }
    eve_mem_free(list->list);
    eve_accounts_init(list);
}

enum eve_status eve_accounts_add(struct eve_accounts *list, struct eve_account *a,
                                 struct eve_err *err)
{
    if (list->count == list->cap) {
        size_t cap = eve_mem_grow(list->cap, list->count + 1, FIRST_ENTRIES, SIZE_MAX / 2);
        enum eve_status status =
            eve_mem_resize(&list->list, cap, sizeof(struct eve_account *), err);
        if (status != EVE_OK) {
            eve_account_free(a);
            return status;
        }
        list->cap = cap;
    }
    list->list[list->count++] = a;
    return EVE_OK;
}

enum eve_status eve_accounts_sum(const struct eve_accounts *list, struct eve_account *total,
                                 struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    for (size_t i = 0; i < list->count && status == EVE_OK; i++) {
        if (list->list[i]->state == EVE_ACCOUNT_READ) {
            status = eve_tally_add(&total->tally, &list->list[i]->tally, err);
            total->as_if += list->list[i]->as_if;
        }
    }
    return status;
}

size_t eve_accounts_largest(struct eve_account *const *list, size_t count,
                            const struct eve_row *best[EVE_ACCOUNT_LARGEST])
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t blocks = list[i]->state == EVE_ACCOUNT_READ ? list[i]->largest_count : 0;
        for (size_t k = 0; k < blocks; k++) {
            const struct eve_row *row = &list[i]->largest[k];
            size_t at = n;
            while (at > 0 && best[at - 1]->bytes < row->bytes) {
                at--;
            }
            if (at == EVE_ACCOUNT_LARGEST) {
                continue;
            }
            n += n < EVE_ACCOUNT_LARGEST ? 1 : 0;
            memmove(&best[at + 1], &best[at], (n - at - 1) * sizeof(const struct eve_row *));
            best[at] = row;
        }
    }
    return n;
}

static int by_name(const void *a, const void *b)
{
    const struct eve_account *x = *(struct eve_account *const *)a;
    const struct eve_account *y = *(struct eve_account *const *)b;
    return eve_text_compare(eve_buf_slice(&x->name), eve_buf_slice(&y->name));
}

void eve_accounts_sort(struct eve_accounts *list)
{
    if (list->count > 0) {
        qsort(list->list, list->count, sizeof(struct eve_account *), by_name);
    }
}
