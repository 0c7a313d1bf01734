/* `boathook` and `bh`: send the command line to the daemon, print the response, exit with its status. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

enum { INTERRUPTED_EXIT = 130, FIRST_OWN_DESCRIPTOR = 3, PROGRESS_BYTES = 1024 };

/* What Control-C does: leave at once, or cancel the call first. A second one always leaves at once. */
enum { LEAVE, CANCEL };
static volatile sig_atomic_t on_control_c = LEAVE;
static int wake_writer = -1;

static void interrupt(int number) {
    (void)number;
    int before = errno;
    if (on_control_c == LEAVE) {
        _exit(INTERRUPTED_EXIT);
    }
    on_control_c = LEAVE;
    if (write(wake_writer, "", 1) < 0) {
        _exit(INTERRUPTED_EXIT);
    }
    errno = before;
}

static int own_descriptor(int from) {
    int moved = fcntl(from, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
    close(from);
    return moved;
}

/* Handle Control-C, unless the process that started us ignores it. Returns a descriptor that becomes readable, or -1. */
static int watch_interrupts(void) {
    struct sigaction before, action = {.sa_handler = interrupt};
    int ends[2];
    if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_IGN || pipe(ends) != 0) {
        return -1;
    }
    int reader = own_descriptor(ends[0]);
    wake_writer = own_descriptor(ends[1]);
    sigaction(SIGINT, &action, NULL);
    return reader;
}

/* Write everything; returns 0, also if nobody reads it any more, or else the error. */
static int print(Slice text, int to) {
    while (text.length > 0) {
        ssize_t written = write(to, text.bytes, text.length);
        if (written >= 0) {
            text.bytes += written;
            text.length -= (size_t)written;
        } else if (errno == EAGAIN) { /* another program of this terminal made it so */
            poll(&(struct pollfd){to, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            return errno == EPIPE ? 0 : errno;
        }
    }
    return 0;
}

static void print_text(const char *text, int to) {
    print((Slice){text, strlen(text)}, to);
}

/* A progress line, replaced by the next and removed at the end; after two seconds with the time that has passed. */
typedef struct {
    bool is_seen, is_shown;
    char text[PROGRESS_BYTES];
    time_t began;
    long seconds; /* shown last; 0: none yet */
} Progress;

static time_t now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* What a call does, until the daemon says more: its first word that is not a flag. */
static Progress progress_of(const CommandLine *line) {
    Progress progress = {.is_seen = isatty(2) != 0, .began = now_seconds()};
    for (int at = 0; at < line->count && progress.text[0] == '\0'; at++) {
        if (line->words[at][0] != '-') {
            snprintf(progress.text, BH_SHOWN_WORD + 1, "%s", line->words[at]);
        }
    }
    return progress;
}

static void draw(Progress *progress) {
    char shown[PROGRESS_BYTES + 32];
    const char *form = progress->seconds > 0 ? "\r\x1b[K%s (%ld s)" : "\r\x1b[K%s";
    for (char *at = progress->text; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at;
    }
    snprintf(shown, sizeof shown, form, progress->text, progress->seconds);
    print_text(shown, 2);
    progress->is_shown = true;
}

static void show(Progress *progress, Slice text) {
    if (progress->is_seen && text.bytes != NULL) {
        snprintf(progress->text, sizeof progress->text, "%.*s", (int)text.length, text.bytes);
        draw(progress);
    }
}

/* Show each second that passes, from the second one on. */
static void tick(Progress *progress) {
    long passed = (long)(now_seconds() - progress->began);
    if (progress->is_seen && passed >= BH_QUIET_SECONDS && passed > progress->seconds) {
        progress->seconds = passed;
        draw(progress);
    }
}

static void clear(Progress *progress) {
    if (progress->is_shown) {
        print_text("\r\x1b[K", 2);
        progress->is_shown = false;
    }
}

/* Read all of standard input; false if it cannot be read or is too large, which the Python client reports. */
static bool read_given(Buffer *given) {
    for (;;) {
        if (given->length > BH_MOST_STDIN_BYTES || !buffer_reserve(given, 1 << 16)) {
            return false;
        }
        ssize_t got = read(0, given->bytes + given->length, 1 << 16);
        if (got > 0) {
            given->length += (size_t)got;
        } else if (got == 0) {
            return true;
        } else if (errno != EINTR) {
            return false;
        }
    }
}

/* Greet, and wait for the daemon's hello: a silent daemon never receives the call, and cannot run it later. */
static Read greet(Connection *connection) {
    Buffer hello = buffer_of(1 << 10);
    Message message;
    frames_begin(&hello);
    buffer_add_text(&hello, "{\"type\":\"hello\",\"protocol\":" BH_PROTOCOL ",\"version\":\"" BOATHOOK_VERSION "\"}");
    Read sent = frames_send(connection, &hello, BH_HELLO_SECONDS);
    buffer_free(&hello);
    Read read = sent == READ_MESSAGE ? frames_read(connection, BH_HELLO_SECONDS, &message) : sent;
    if (read != READ_MESSAGE) {
        return read;
    }
    bool is_same = slice_is(message.type, "hello") && slice_is(message.version, BOATHOOK_VERSION);
    return is_same ? READ_MESSAGE : READ_FAILED;
}

/* Ask the daemon to cancel the call, and wait a moment for its end. */
static void cancel(Connection *connection) {
    Buffer frame = buffer_of(1 << 10);
    Message message;
    connection->wake = -1;
    frames_begin(&frame);
    buffer_add_text(&frame, "{\"type\":\"cancel\",\"id\":\"" BH_CALL_ID "\"}");
    Read read = frames_send(connection, &frame, BH_CANCEL_SECONDS);
    while (read == READ_MESSAGE) {
        read = frames_read(connection, BH_CANCEL_SECONDS, &message);
        if (read == READ_MESSAGE && slice_is(message.type, "answer")) {
            return;
        }
    }
}

/* Why there is no answer, in a word that the Python client knows. */
static const char *failure_of(Read read, size_t announced, char *room, size_t size) {
    switch (read) {
    case READ_END:
        return BH_LOST;
    case READ_SILENCE:
        return BH_SILENCE;
    case READ_TOO_LARGE:
        snprintf(room, size, BH_TOO_LARGE "%zu", announced);
        return room;
    case READ_NOT_JSON:
        return BH_NOT_JSON;
    case READ_NO_TYPE:
        return BH_NO_TYPE;
    default:
        return BH_LOST;
    }
}

/* Print the answer; returns the exit status. */
static int finish(const CommandLine *line, const Message *answer) {
    char state[32];
    print(answer->err, 2);
    int failed = print(answer->out, 1);
    if (failed != 0) {
        snprintf(state, sizeof state, BH_NOT_WRITTEN "%d", failed);
        python_continue(line, state);
    }
    return (int)(answer->exit & 0xFF);
}

/* Wait for the answer of a call that was sent. From here on it is never sent again, except after a refusal. */
static int follow(Connection *connection, const CommandLine *line) {
    Progress progress = progress_of(line);
    char room[48];
    int silent = 0;
    for (;;) {
        Message message;
        int patience = progress.is_seen ? 1 : BH_SILENCE_SECONDS; /* a frame that is half read is continued */
        Read read = frames_read(connection, patience, &message);
        silent = read == READ_SILENCE ? silent + patience : 0;
        if (read == READ_SILENCE && silent < BH_SILENCE_SECONDS) {
            tick(&progress);
            continue;
        }
        bool is_answer = read == READ_MESSAGE && slice_is(message.type, "answer") && slice_is(message.id, BH_CALL_ID);
        bool is_whole = message.out.bytes != NULL && message.err.bytes != NULL && message.has_exit;
        if (read == READ_INTERRUPT) {
            cancel(connection);
            clear(&progress);
            return INTERRUPTED_EXIT;
        }
        if (read != READ_MESSAGE || (is_answer && !is_whole)) {
            clear(&progress);
            python_continue(line, failure_of(is_answer ? READ_NO_TYPE : read, connection->announced, room, sizeof room));
        }
        if (is_answer) {
            on_control_c = LEAVE;
            clear(&progress);
            return finish(line, &message);
        }
        if (slice_is(message.type, "refused")) { /* nothing was done */
            clear(&progress);
            python_continue(line, BH_RUN);
        }
        if (slice_is(message.type, "progress")) {
            show(&progress, message.text);
        }
        tick(&progress);
    }
}

int main(int count, char **arguments) {
    CommandLine line = {count < 1 ? 0 : count - 1, arguments + 1, count < 1 ? "" : arguments[0], NULL};
    Buffer given = buffer_of(BH_MOST_STDIN_BYTES + (1 << 17)), call = buffer_of(BH_LIMIT_BYTES);
    Connection connection;
    char path[BH_PATH_BYTES];
    python_remember_signals();
    if (count < 1 || words_are_for_python(line.count, line.words) || !reach_socket_path(path, sizeof path)) {
        python_continue(&line, BH_RUN);
    }
    int wake = watch_interrupts();
    if (words_want_stdin(line.count, line.words)) {
        line.given = &given;
        if (!read_given(&given)) {
            python_continue(&line, BH_RUN);
        }
    }
    if (!request_build(&call, line.count, line.words, line.given, line.called_as) ||
        !reach_connect(path, &connection)) {
        python_continue(&line, BH_RUN);
    }
    Read greeted = greet(&connection);
    if (greeted != READ_MESSAGE) {
        python_continue(&line, greeted == READ_SILENCE ? BH_SILENT : BH_RUN);
    }
    Read sent = frames_send(&connection, &call, BH_HELLO_SECONDS);
    if (sent != READ_MESSAGE) {
        python_continue(&line, sent == READ_SILENCE ? BH_SILENT : BH_LOST);
    }
    on_control_c = CANCEL;
    connection.wake = wake;
    return follow(&connection, &line);
}
