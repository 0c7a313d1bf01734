/* JSON: the messages of the daemon, decoded in place, and strings of ours.
 *
 * A decoded string is never longer than its source, so no memory is needed. Half a surrogate pair, which text cannot contain, is
 * printed as its escape, as the Python client does.
 */
#include <stdio.h>
#include <string.h>

#include "client.h"

enum { DEEPEST = 100, MOST_DIGITS = 9 };

typedef struct {
    char *at, *end;
} Reader;

/* How many bytes the character at `bytes` has; 0 if it is not UTF-8. */
size_t utf8_length(const char *bytes, size_t left) {
    const unsigned char *b = (const unsigned char *)bytes;
    size_t length = b[0] < 0x80 ? 1 : b[0] < 0xC2 ? 0 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : b[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xF0 && b[1] < 0x90);
    bool surrogate = b[0] == 0xED && b[1] >= 0xA0;
    bool beyond = b[0] == 0xF4 && b[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

bool slice_is(Slice slice, const char *text) {
    return slice.bytes != NULL && slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}

static void skip_spaces(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) {
        r->at++;
    }
}

static bool take(Reader *r, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Four hexadecimal digits; -1 if there are fewer. */
static long hex_four(Reader *r) {
    if (r->end - r->at < 4) {
        return -1;
    }
    long value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(r->at[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    r->at += 4;
    return value;
}

static char *put_code(char *to, long code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0 | (code >> 6));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | (code >> 12));
        *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
    } else {
        *to++ = (char)(0xF0 | (code >> 18));
        *to++ = (char)(0x80 | ((code >> 12) & 0x3F));
        *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

/* After `\u`: its digits, and those of the second half of a pair. NULL if they are invalid. */
static char *take_unicode(Reader *r, char *to) {
    long code = hex_four(r);
    if (code < 0) {
        return NULL;
    }
    if (code < 0xD800 || code > 0xDFFF) {
        return put_code(to, code);
    }
    if (code < 0xDC00) {
        Reader ahead = *r;
        long low = take(&ahead, "\\u") ? hex_four(&ahead) : -1;
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *r = ahead;
            return put_code(to, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        }
    }
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04lx", (unsigned long)code & 0xFFFF);
    memcpy(to, escape, 6);
    return to + 6;
}

/* After a backslash. */
static char *take_escape(Reader *r, char *to) {
    static const char NAMES[] = "\"\\/bfnrt", VALUES[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) {
        return NULL;
    }
    char c = *r->at++;
    if (c == 'u') {
        return take_unicode(r, to);
    }
    const char *found = c == '\0' ? NULL : strchr(NAMES, c);
    if (found == NULL) {
        return NULL;
    }
    *to++ = VALUES[found - NAMES];
    return to;
}

/* A string, decoded in place. */
static bool take_string(Reader *r, Slice *string) {
    if (!take(r, "\"")) {
        return false;
    }
    char *to = r->at;
    string->bytes = to;
    while (r->at < r->end && *r->at != '"') {
        unsigned char c = (unsigned char)*r->at;
        if (c == '\\') {
            r->at++;
            to = take_escape(r, to);
            if (to == NULL) {
                return false;
            }
            continue;
        }
        size_t length = c < 0x20 ? 0 : utf8_length(r->at, (size_t)(r->end - r->at));
        if (length == 0) {
            return false;
        }
        memmove(to, r->at, length);
        to += length;
        r->at += length;
    }
    string->length = (size_t)(to - string->bytes);
    return take(r, "\"");
}

static bool take_digits(Reader *r) {
    char *first = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        r->at++;
    }
    return r->at > first;
}

/* A number; `value` is set if it is a small integer. */
static bool take_number(Reader *r, long *value, bool *is_small) {
    char *first = r->at;
    bool negative = take(r, "-");
    char *digits = r->at;
    if (!take_digits(r) || (*digits == '0' && r->at - digits > 1)) {
        return false;
    }
    *is_small = r->at - digits <= MOST_DIGITS;
    *value = 0;
    for (char *c = digits; *is_small && c < r->at; c++) {
        *value = *value * 10 + (*c - '0');
    }
    *value = negative ? -*value : *value;
    if (take(r, ".")) {
        *is_small = false;
        if (!take_digits(r)) {
            return false;
        }
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        *is_small = false;
        r->at++;
        if (!take(r, "+")) {
            take(r, "-");
        }
        return take_digits(r);
    }
    return r->at > first;
}

static bool skip_value(Reader *r, int depth);

/* Members up to the closing bracket; objects have names. */
static bool skip_members(Reader *r, bool named, const char *close, int depth) {
    Slice name;
    skip_spaces(r);
    if (take(r, close)) {
        return true;
    }
    for (;;) {
        skip_spaces(r);
        if (named) {
            if (!take_string(r, &name)) {
                return false;
            }
            skip_spaces(r);
            if (!take(r, ":")) {
                return false;
            }
        }
        if (!skip_value(r, depth)) {
            return false;
        }
        skip_spaces(r);
        if (take(r, close)) {
            return true;
        }
        if (!take(r, ",")) {
            return false;
        }
    }
}

static bool skip_value(Reader *r, int depth) {
    static const char *const WORDS[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    Slice string;
    long value;
    bool is_small;
    skip_spaces(r);
    if (r->at == r->end || depth > DEEPEST) {
        return false;
    }
    if (*r->at == '"') {
        return take_string(r, &string);
    }
    if (take(r, "{")) {
        return skip_members(r, true, "}", depth + 1);
    }
    if (take(r, "[")) {
        return skip_members(r, false, "]", depth + 1);
    }
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (take(r, WORDS[i])) {
            return true;
        }
    }
    return take_number(r, &value, &is_small);
}

static Slice *field_of(Message *message, Slice name) {
    struct {
        const char *name;
        Slice *field;
    } fields[] = {
        {"type", &message->type}, {"id", &message->id},     {"out", &message->out},
        {"err", &message->err},   {"text", &message->text}, {"version", &message->version},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (slice_is(name, fields[i].name)) {
            return fields[i].field;
        }
    }
    return NULL;
}

/* The value of one name; of two with the same name the last counts, also if it has another type. */
static bool take_field(Reader *r, Slice name, Message *message) {
    Slice *field = field_of(message, name);
    skip_spaces(r);
    if (field != NULL) {
        field->bytes = NULL;
        if (r->at < r->end && *r->at == '"') {
            return take_string(r, field);
        }
    } else if (slice_is(name, "exit")) {
        message->has_exit = false;
        if (r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) && !take(r, "-Infinity")) {
            return take_number(r, &message->exit, &message->has_exit);
        }
    }
    return skip_value(r, 1);
}

static bool take_object(Reader *r, Message *message) {
    Slice name;
    skip_spaces(r);
    if (take(r, "}")) {
        return true;
    }
    for (;;) {
        skip_spaces(r);
        if (!take_string(r, &name)) {
            return false;
        }
        skip_spaces(r);
        if (!take(r, ":") || !take_field(r, name, message)) {
            return false;
        }
        skip_spaces(r);
        if (take(r, "}")) {
            return true;
        }
        if (!take(r, ",")) {
            return false;
        }
    }
}

/* The message in a frame's body, which is changed. */
Read json_message(char *body, size_t length, Message *message) {
    *message = (Message){0};
    Reader r = {body, body + length};
    skip_spaces(&r);
    bool is_object = take(&r, "{");
    bool is_json = is_object ? take_object(&r, message) : skip_value(&r, 0);
    skip_spaces(&r);
    if (!is_json || r.at != r.end) {
        return READ_NOT_JSON;
    }
    return is_object && message->type.bytes != NULL ? READ_MESSAGE : READ_NO_TYPE;
}

/* A string of ours; a byte that is not UTF-8 becomes the half of a pair that Python's file system encoding uses. */
void json_text(Buffer *to, const char *text, size_t length) {
    char escape[8];
    buffer_add_text(to, "\"");
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)text[at];
        size_t step = utf8_length(text + at, length - at);
        if (step == 0 || c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", step == 0 ? 0xDC00u + c : (unsigned)c);
            buffer_add_text(to, escape);
            step = 1;
        } else {
            if (c == '"' || c == '\\') {
                buffer_add_text(to, "\\");
            }
            buffer_add(to, text + at, step);
        }
        at += step;
    }
    buffer_add_text(to, "\"");
}
