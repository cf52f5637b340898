/* The job of evenorm on cJSON, for comparison: cjson FILE >OUT. It keeps no numbers beyond 2^53, no NUL and
 * no lone surrogate; that is not what is measured here. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop(cJSON *data, const char *sum, const char *delta)
{
    const cJSON *whole = cJSON_GetObjectItemCaseSensitive(data, sum);
    const cJSON *tail = cJSON_GetObjectItemCaseSensitive(data, delta);
    if (cJSON_IsString(whole) && cJSON_IsString(tail)) {
        size_t n = strlen(whole->valuestring);
        size_t m = strlen(tail->valuestring);
        if (n < m || strcmp(whole->valuestring + n - m, tail->valuestring) != 0) {
            exit(1);
        }
        cJSON_DeleteItemFromObjectCaseSensitive(data, sum);
    }
}

int main(int argc, char **argv)
{
    FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = 0;
    while (in != NULL && (n = getline(&line, &cap, in)) > 0) {
        cJSON *event = cJSON_ParseWithLength(line, (size_t)n);
        cJSON *data = cJSON_GetObjectItemCaseSensitive(event, "data");
        if (data != NULL) {
            drop(data, "messageSoFar", "messageDelta");
            drop(data, "reasoningSoFar", "reasoningDelta");
        }
        char *text = cJSON_PrintUnformatted(event);
        puts(text != NULL ? text : "");
        cJSON_free(text);
        cJSON_Delete(event);
    }
    free(line);
    return 0;
}
