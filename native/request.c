/* The call: a command line as the user typed it, and its context; fields as in `boathook/wire/messages.py`. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client.h"

enum { START_TIME_FIELD = 19, STAT_BYTES = 4096 };

static const char *const PREFIXES[] = {BH_PREFIXES};
static const char *const NAMES[] = {BH_TERMINAL_NAMES};

extern char **environ;

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

/* Whether this program is called by the name agent-browser, through a link, or the environment asks for that mode. */
bool request_is_agent_browser(const char *called_as) {
    const char *slash = strrchr(called_as, '/');
    return strcmp(slash == NULL ? called_as : slash + 1, BH_AGENT_BROWSER) == 0 ||
           strcmp(variable(BH_COMPAT), BH_AGENT_BROWSER) == 0;
}

/* The bytes of a text, as a string; without UTF-8 only ASCII is certain to be read as Python reads it. */
static void add_text(Buffer *to, const char *text) {
    json_text(to, text, strlen(text));
}

static void add_field(Buffer *to, const char *name) {
    buffer_add_text(to, ",\"");
    buffer_add_text(to, name);
    buffer_add_text(to, "\":");
}

/* The end of a word that names a variable as `env:NAME`; NULL if it does not. The last `env:` counts. */
static const char *named_variable(const char *word, size_t length, size_t *name_length) {
    for (size_t at = length; at >= 4; at--) {
        if (memcmp(word + at - 4, "env:", 4) == 0) {
            size_t end = length;
            while (end > at && (word[end - 1] == ',' || word[end - 1] == ']')) {
                end--;
            }
            *name_length = end - at;
            return word + at;
        }
    }
    return NULL;
}

static bool names_it(const char *word, size_t length, const char *name, size_t name_length) {
    size_t found = 0;
    const char *named = named_variable(word, length, &found);
    return named != NULL && found == name_length && memcmp(named, name, found) == 0;
}

static bool is_separator(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f) || c == '"' || c == '\'';
}

/* Whether a word of what was read from standard input names the variable. */
static bool given_names_it(const Buffer *given, const char *name, size_t length) {
    for (size_t at = 0; at < given->length;) {
        size_t end = at;
        while (end < given->length && !is_separator(given->bytes[end])) {
            end++;
        }
        if (end > at && names_it(given->bytes + at, end - at, name, length)) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

static bool is_chosen(const char *name, size_t length, int count, char **words, const Buffer *given) {
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
        if (length >= strlen(PREFIXES[i]) && memcmp(name, PREFIXES[i], strlen(PREFIXES[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (length == strlen(NAMES[i]) && memcmp(name, NAMES[i], length) == 0) {
            return true;
        }
    }
    for (int i = 0; i < count; i++) {
        if (names_it(words[i], strlen(words[i]), name, length)) {
            return true;
        }
    }
    return given != NULL && given_names_it(given, name, length);
}

/* Of a name that occurs twice the first counts, as in Python. */
static bool is_repeated(char **entry, size_t name_length) {
    for (char **before = environ; before < entry; before++) {
        if (strncmp(*before, *entry, name_length + 1) == 0) {
            return true;
        }
    }
    return false;
}

static void add_environment(Buffer *to, int count, char **words, const Buffer *given, bool is_agent_browser) {
    const char *comma = "";
    buffer_add_text(to, "{");
    for (char **entry = environ; *entry != NULL; entry++) {
        const char *equals = strchr(*entry, '=');
        size_t length = equals == NULL ? 0 : (size_t)(equals - *entry);
        bool is_mode = is_agent_browser && length == strlen(BH_COMPAT) && memcmp(*entry, BH_COMPAT, length) == 0;
        if (equals == NULL || is_mode || !is_chosen(*entry, length, count, words, given) ||
            is_repeated(entry, length)) {
            continue;
        }
        buffer_add_text(to, comma);
        json_text(to, *entry, length);
        buffer_add_text(to, ":");
        add_text(to, equals + 1);
        comma = ",";
    }
    if (is_agent_browser) {
        buffer_add_text(to, comma);
        buffer_add_text(to, "\"" BH_COMPAT "\":\"" BH_AGENT_BROWSER "\"");
    }
    buffer_add_text(to, "}");
}

static void add_terminal(Buffer *to) {
    bool is_tty = isatty(1) != 0;
    struct winsize size;
    unsigned columns = is_tty && ioctl(1, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    bool colour = is_tty && *variable("NO_COLOR") == '\0' && strcmp(variable("TERM"), "dumb") != 0;
    char text[96];
    snprintf(text, sizeof text, "{\"is_tty\":%s,\"columns\":%u,\"colour\":%s}", is_tty ? "true" : "false",
             columns ? columns : BH_DEFAULT_COLUMNS, colour ? "true" : "false");
    buffer_add_text(to, text);
}

/* The start time of this process in kernel ticks (Linux); -1 if unknown. */
static long long start_time(void) {
    char text[STAT_BYTES];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) {
        return -1;
    }
    text[length] = '\0';
    char *at = strrchr(text, ')'); /* a program's name may contain anything */
    for (int field = 0; at != NULL && field <= START_TIME_FIELD; field++) {
        at = strchr(at + 1, ' ');
    }
    return at == NULL ? -1 : strtoll(at + 1, NULL, 10);
}

static void add_owner(Buffer *to) {
    char text[96];
    long long began = start_time();
    if (began < 0) {
        snprintf(text, sizeof text, "{\"pid\":%ld,\"start_time\":null}", (long)getpid());
    } else {
        snprintf(text, sizeof text, "{\"pid\":%ld,\"start_time\":%lld}", (long)getpid(), began);
    }
    buffer_add_text(to, text);
}

static void add_words(Buffer *to, int count, char **words) {
    buffer_add_text(to, "[");
    for (int i = 0; i < count; i++) {
        buffer_add_text(to, i ? "," : "");
        add_text(to, words[i]);
    }
    buffer_add_text(to, "]");
}

static bool has_other_bytes(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)bytes[i] >= 0x80) {
            return true;
        }
    }
    return false;
}

/* Whether Python would decode names and words as UTF-8 here; other encodings of old locales are left to it. */
static bool locale_is_utf8(void) {
#ifdef __APPLE__
    return true;
#else
    static const char *const ORDER[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (getenv("PYTHONUTF8") != NULL || getenv("PYTHONCOERCECLOCALE") != NULL) {
        return false;
    }
    const char *name = "";
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER && *name == '\0'; i++) {
        name = variable(ORDER[i]);
    }
    static const char *const SAME[] = {"", "C", "POSIX", "C.UTF-8", "C.utf8"};
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        if (strcmp(name, SAME[i]) == 0) {
            return true;
        }
    }
    const char *dot = strchr(name, '.');
    return dot != NULL && (strncmp(dot, ".UTF-8", 6) == 0 || strncmp(dot, ".utf8", 5) == 0);
#endif
}

static bool names_variables(const Buffer *given) {
    for (size_t at = 0; at + 4 <= given->length; at++) {
        if (memcmp(given->bytes + at, "env:", 4) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_utf8(const Buffer *given) {
    for (size_t at = 0, step; at < given->length; at += step) {
        step = utf8_length(given->bytes + at, given->length - at);
        if (step == 0) {
            return false;
        }
    }
    return true;
}

/* The frame of a call; false if the Python client must send it: what it refuses, and texts in other encodings. */
bool request_build(Buffer *to, int count, char **words, const Buffer *given, const char *called_as) {
    char folder[BH_PATH_BYTES];
    const char *cwd = getcwd(folder, sizeof folder); /* NULL: it was removed under our feet */
    if (given != NULL && !is_utf8(given)) {
        return false;
    }
    bool scanned = given != NULL && names_variables(given);
    if (scanned && has_other_bytes(given->bytes, given->length)) {
        return false; /* its words may be separated by any space of Unicode */
    }
    frames_begin(to);
    buffer_add_text(to, "{\"type\":\"call\",\"id\":\"" BH_CALL_ID "\"");
    add_field(to, "argv");
    size_t first = to->length;
    add_words(to, count, words);
    add_field(to, "cwd");
    add_text(to, cwd == NULL ? "/" : cwd);
    add_field(to, "environment");
    add_environment(to, count, words, scanned ? given : NULL, request_is_agent_browser(called_as));
    if (to->failed || (has_other_bytes(to->bytes + first, to->length - first) && !locale_is_utf8())) {
        return false;
    }
    add_field(to, "terminal");
    add_terminal(to);
    add_field(to, "owner");
    add_owner(to);
    add_field(to, "stdin");
    if (given == NULL) {
        buffer_add_text(to, "null");
    } else {
        json_text(to, given->bytes == NULL ? "" : given->bytes, given->length);
    }
    buffer_add_text(to, "}");
    return !to->failed;
}
