/* Puts files through a fuzz target: replay FILE... Prints nothing; a broken property ends it. */
#include "fuzz.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        size_t room = 1 << 20;
        /* of exactly the size, so that a sanitizer sees a read behind the end */
        uint8_t *all = malloc(room);
        size_t n = f == NULL || all == NULL ? 0 : fread(all, 1, room, f);
        uint8_t *exact = malloc(n > 0 ? n : 1);
        if (f == NULL || all == NULL || exact == NULL) {
            perror(argv[i]);
            return 2;
        }
        for (size_t k = 0; k < n; k++) {
            exact[k] = all[k];
        }
        fprintf(stderr, "%s\n", argv[i]);
        (void)LLVMFuzzerTestOneInput(exact, n);
        free(exact);
        free(all);
        fclose(f);
    }
    return 0;
}
