/* Frames over the socket: four bytes of length, most significant first, then one JSON object. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "client.h"

#ifdef MSG_NOSIGNAL
enum { SEND_FLAGS = MSG_NOSIGNAL };
#else
enum { SEND_FLAGS = 0 }; /* SIGPIPE is ignored */
#endif

enum { HEADER_BYTES = 4, STEP_BYTES = 1 << 20 };

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Wait until the socket can be used; READ_MESSAGE means that it can. */
static Read wait_for(Connection *connection, short events, long long until_ms) {
    for (;;) {
        struct pollfd both[2] = {{connection->socket, events, 0}, {connection->wake, POLLIN, 0}};
        long long left = until_ms - now_ms();
        int ready = poll(both, connection->wake < 0 ? 1 : 2, left < 0 ? 0 : (int)left);
        if (ready > 0) {
            return connection->wake >= 0 && both[1].revents ? READ_INTERRUPT : READ_MESSAGE;
        }
        if (ready == 0) {
            return READ_SILENCE;
        }
        if (errno != EINTR) {
            return READ_FAILED;
        }
    }
}

/* Exactly `count` bytes at the end of the buffer, which grows with what arrives and not with what was announced. */
static Read read_exactly(Connection *connection, size_t count, int seconds) {
    while (count > 0) {
        size_t step = count < STEP_BYTES ? count : STEP_BYTES;
        if (!buffer_reserve(&connection->body, step)) {
            return READ_FAILED;
        }
        Read ready = wait_for(connection, POLLIN, now_ms() + seconds * 1000LL);
        if (ready != READ_MESSAGE) {
            return ready;
        }
        ssize_t got = recv(connection->socket, connection->body.bytes + connection->body.length, step, 0);
        if (got == 0 || (got < 0 && errno == ECONNRESET)) {
            return READ_END;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return READ_FAILED;
        }
        if (got > 0) {
            connection->body.length += (size_t)got;
            count -= (size_t)got;
        }
    }
    return READ_MESSAGE;
}

/* The next message; its parts are valid until the next call. A frame that was interrupted is continued by the next call. */
Read frames_read(Connection *connection, int seconds, Message *message) {
    Buffer *body = &connection->body;
    if (connection->announced == SIZE_MAX) { /* nothing of this frame has arrived completely */
        if (body->length < HEADER_BYTES) {
            Read header = read_exactly(connection, HEADER_BYTES - body->length, seconds);
            if (header != READ_MESSAGE) {
                return header;
            }
        }
        const unsigned char *b = (const unsigned char *)body->bytes;
        connection->announced = (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
        body->length = 0;
    }
    if (connection->announced > BH_LIMIT_BYTES) {
        return READ_TOO_LARGE;
    }
    Read read = read_exactly(connection, connection->announced - body->length, seconds);
    if (read != READ_MESSAGE) {
        return read;
    }
    connection->announced = SIZE_MAX;
    size_t length = body->length;
    body->length = 0;
    return json_message(body->bytes == NULL ? (char[1]){0} : body->bytes, length, message);
}

static Read send_all(Connection *connection, const char *bytes, size_t length, long long until_ms) {
    while (length > 0) {
        ssize_t sent = send(connection->socket, bytes, length, SEND_FLAGS);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            Read ready = wait_for(connection, POLLOUT, until_ms);
            if (ready != READ_MESSAGE) {
                return ready;
            }
        } else if (errno == EPIPE || errno == ECONNRESET) {
            return READ_MESSAGE; /* why it closed may still be there to be read, and if not, reading finds the end */
        } else if (errno != EINTR) {
            return READ_FAILED;
        }
    }
    return READ_MESSAGE;
}

/* Begin a frame in an empty buffer: room for its length. */
void frames_begin(Buffer *frame) {
    buffer_add(frame, (char[HEADER_BYTES]){0}, HEADER_BYTES);
}

/* Send one frame within the time. */
Read frames_send(Connection *connection, Buffer *frame, int seconds) {
    if (frame->failed) {
        return READ_FAILED;
    }
    size_t length = frame->length - HEADER_BYTES;
    for (int i = 0; i < HEADER_BYTES; i++) {
        frame->bytes[i] = (char)(length >> (24 - 8 * i));
    }
    return send_all(connection, frame->bytes, frame->length, now_ms() + seconds * 1000LL);
}
