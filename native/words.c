/* What the words of a command line mean for the client; the rules of `surfaces/cli/main.py`. */
#include <string.h>

#include "client.h"

static const char *const FOR_PYTHON[] = {BH_FOR_PYTHON};

/* Whether the Python client handles it: help, servers, the daemon itself. */
bool words_are_for_python(int count, char **words) {
    if (count == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof FOR_PYTHON / sizeof *FOR_PYTHON; i++) {
        if (strcmp(words[0], FOR_PYTHON[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool begins(const char *word, const char *with) {
    return strncmp(word, with, strlen(with)) == 0;
}

static bool ends(const char *word, const char *with) {
    size_t length = strlen(word), tail = strlen(with);
    return length >= tail && strcmp(word + length - tail, with) == 0;
}

/* `batch` without arguments after it, and with nothing but global flags and their values before it. */
static bool is_bare_batch(int count, char **words) {
    int at = 0;
    while (at < count && strcmp(words[at], "batch") != 0) {
        at++;
    }
    if (at == count) {
        return false;
    }
    for (int i = at + 1; i < count; i++) {
        if (words[i][0] != '-') {
            return false;
        }
    }
    for (int i = 0; i < at; i++) {
        if (words[i][0] != '-' && (i == 0 || !begins(words[i - 1], "--"))) {
            return false;
        }
    }
    return true;
}

/* Whether the command line asks for standard input: `-`, `--stdin`, `--password-stdin`, or `batch` without arguments. */
bool words_want_stdin(int count, char **words) {
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "-") == 0 || (begins(words[i], "--") && ends(words[i], "stdin"))) {
            return true;
        }
    }
    return is_bare_batch(count, words);
}
