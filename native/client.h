/* The native client: what its files know of each other.
 *
 * It sends one command line to a running daemon and prints the answer. Everything else (no daemon, another version, help,
 * servers, failures) is left to the Python client by exec, so that texts and rules are in one place.
 */
#ifndef BOATHOOK_CLIENT_H
#define BOATHOOK_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "facts.h"

/* Bytes that grow up to a limit. A failed append is remembered, so that only the end has to be checked. */
typedef struct {
    char *bytes;
    size_t length, room, most;
    bool failed;
} Buffer;

Buffer buffer_of(size_t most);
bool buffer_reserve(Buffer *buffer, size_t more);
void buffer_add(Buffer *buffer, const char *bytes, size_t length);
void buffer_add_text(Buffer *buffer, const char *text);
void buffer_free(Buffer *buffer);

/* A part of a frame; `bytes` is NULL if the field is missing. */
typedef struct {
    const char *bytes;
    size_t length;
} Slice;

typedef struct {
    Slice type, id, out, err, text, version;
    long exit;
    bool has_exit;
} Message;

/* What became of reading a message. */
typedef enum {
    READ_MESSAGE,
    READ_END,       /* the connection was closed */
    READ_SILENCE,   /* nothing within the time */
    READ_INTERRUPT, /* Control-C */
    READ_TOO_LARGE, /* a length over the limit; in `announced` */
    READ_NOT_JSON,
    READ_NO_TYPE,
    READ_FAILED, /* an error of the system, or no memory */
} Read;

typedef struct {
    int socket;
    int wake; /* readable after Control-C; -1: not watched */
    Buffer body;
    size_t announced;
} Connection;

/* json.c */
Read json_message(char *body, size_t length, Message *message);
void json_text(Buffer *to, const char *text, size_t length);
size_t utf8_length(const char *bytes, size_t left);
bool slice_is(Slice slice, const char *text);

/* frames.c */
Read frames_read(Connection *connection, int seconds, Message *message);
void frames_begin(Buffer *frame);
Read frames_send(Connection *connection, Buffer *frame, int seconds);

/* reach.c */
bool reach_socket_path(char *path, size_t room);
bool reach_connect(const char *path, Connection *connection);

/* request.c */
bool request_is_agent_browser(const char *called_as);
bool request_build(Buffer *to, int count, char **words, const Buffer *given, const char *called_as);

/* words.c */
bool words_are_for_python(int count, char **words);
bool words_want_stdin(int count, char **words);

/* python.c */
typedef struct {
    int count;
    char **words; /* of the command line, without the program's name */
    const char *called_as;
    const Buffer *given; /* what was read from standard input already; NULL: nothing */
} CommandLine;

void python_remember_signals(void);
_Noreturn void python_continue(const CommandLine *line, const char *state);

#endif
