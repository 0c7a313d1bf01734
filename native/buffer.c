/* Bytes that grow up to a limit. */
#include <stdlib.h>
#include <string.h>

#include "client.h"

enum { FIRST_ROOM = 4096 };

Buffer buffer_of(size_t most) {
    return (Buffer){.most = most};
}

/* Make room for `more` bytes; false if that exceeds the limit or the memory. */
bool buffer_reserve(Buffer *buffer, size_t more) {
    if (buffer->failed || more > buffer->most - buffer->length) {
        buffer->failed = true;
        return false;
    }
    size_t needed = buffer->length + more;
    if (needed <= buffer->room) {
        return true;
    }
    size_t room = buffer->room ? buffer->room : FIRST_ROOM;
    while (room < needed) {
        room *= 2;
    }
    char *bytes = realloc(buffer->bytes, room);
    if (bytes == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->room = room;
    return true;
}

void buffer_add(Buffer *buffer, const char *bytes, size_t length) {
    if (length != 0 && buffer_reserve(buffer, length)) {
        memcpy(buffer->bytes + buffer->length, bytes, length);
        buffer->length += length;
    }
}

void buffer_add_text(Buffer *buffer, const char *text) {
    buffer_add(buffer, text, strlen(text));
}

void buffer_free(Buffer *buffer) {
    free(buffer->bytes);
    *buffer = buffer_of(buffer->most);
}
