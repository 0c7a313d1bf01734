/* Continues as the Python client: the script that is installed beside this program. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "client.h"

enum { CANNOT_START = 127 };

static struct sigaction pipe_signal;

/* A closed pipe is an error of the write, not the end of the process; the Python client gets what was there before. */
void python_remember_signals(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &pipe_signal);
}

/* The real path of this program, behind all links. */
static bool own_path(char *path, size_t room) {
#ifdef __APPLE__
    char named[BH_PATH_BYTES], real[PATH_MAX];
    uint32_t size = sizeof named;
    if (_NSGetExecutablePath(named, &size) != 0 || realpath(named, real) == NULL || strlen(real) >= room) {
        return false;
    }
    strcpy(path, real);
    return true;
#else
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    if (length <= 0 || (size_t)length == room - 1) {
        return false;
    }
    path[length] = '\0';
    return true;
#endif
}

/* Let standard input begin again with what was read from it already. A child writes it, since a pipe holds little. */
static bool replay(const Buffer *given) {
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t writer = fork();
    if (writer < 0) {
        return false;
    }
    if (writer == 0) {
        close(ends[0]);
        close(1);
        close(2);
        for (size_t at = 0; at < given->length;) {
            ssize_t written = write(ends[1], given->bytes + at, given->length - at);
            if (written <= 0) {
                break;
            }
            at += (size_t)written;
        }
        _exit(0);
    }
    close(ends[1]);
    if (ends[0] != 0) {
        dup2(ends[0], 0);
        close(ends[0]);
    }
    return true;
}

/* The interpreter in the first line of the script, if that is one path. The kernel would cut it at a space or after 127 bytes. */
static bool interpreter_of(const char *script, char *path, size_t room) {
    int file = open(script, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, path, room - 1);
    close(file);
    char *end = length > 2 && memcmp(path, "#!", 2) == 0 ? memchr(path, '\n', (size_t)length) : NULL;
    if (end == NULL) {
        return false;
    }
    *end = '\0';
    memmove(path, path + 2, (size_t)(end - path) - 1);
    return path[0] == '/' && access(path, X_OK) == 0;
}

/* Become the Python client. `state` says what happened before: BH_RUN, or a failure that it reports. */
_Noreturn void python_continue(const CommandLine *line, const char *state) {
    char path[BH_PATH_BYTES], interpreter[BH_PATH_BYTES];
    char **words = calloc((size_t)line->count + 6, sizeof *words);
    bool found = own_path(path, sizeof path);
    char *slash = found ? strrchr(path, '/') : NULL;
    if (words == NULL || slash == NULL || (size_t)(slash - path) + sizeof "/" BH_SCRIPT > sizeof path) {
        dprintf(2, "error: cannot find %s beside this program\n", BH_SCRIPT);
        _exit(CANNOT_START);
    }
    strcpy(slash, "/" BH_SCRIPT);
    if (line->given != NULL && line->given->length > 0 && !replay(line->given)) {
        dprintf(2, "error: cannot pass on standard input: %s\n", strerror(errno));
        _exit(CANNOT_START);
    }
    words[0] = interpreter;
    words[1] = path;
    words[2] = BH_FOR_NATIVE;
    words[3] = (char *)line->called_as;
    words[4] = (char *)state;
    memcpy(words + 5, line->words, (size_t)line->count * sizeof *words);
    sigaction(SIGPIPE, &pipe_signal, NULL);
    if (interpreter_of(path, interpreter, sizeof interpreter)) {
        execv(interpreter, words);
    }
    execv(path, words + 1);
    dprintf(2, "error: cannot start %s: %s\n", path, strerror(errno));
    _exit(CANNOT_START);
}
