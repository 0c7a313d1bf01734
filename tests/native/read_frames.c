/* Reads frames from standard input with the native client's own code and prints what it makes of each, for tests.
 *
 * A line per frame: the result, then the fields in hexadecimal, `-` for a missing one. The frames come through a socket, so that they
 * arrive in pieces.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

static void print_slice(Slice slice) {
    putchar(' ');
    if (slice.bytes == NULL) {
        putchar('-');
    }
    for (size_t i = 0; slice.bytes != NULL && i < slice.length; i++) {
        printf("%02x", (unsigned char)slice.bytes[i]);
    }
    if (slice.bytes != NULL && slice.length == 0) {
        putchar('.');
    }
}

static void feed(int to) {
    char piece[4096];
    ssize_t got;
    while ((got = read(0, piece, 1 + (size_t)(getpid() % 4095))) > 0) {
        for (ssize_t sent = 0; sent < got;) {
            ssize_t now = write(to, piece + sent, (size_t)(got - sent));
            if (now <= 0) {
                _exit(1);
            }
            sent += now;
        }
    }
    _exit(0);
}

int main(void) {
    int ends[2];
    Message message;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return 1;
    }
    pid_t feeder = fork();
    if (feeder == 0) {
        close(ends[0]);
        feed(ends[1]);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    Connection connection = {ends[0], -1, buffer_of(BH_LIMIT_BYTES), SIZE_MAX};
    for (;;) {
        Read read = frames_read(&connection, BH_HELLO_SECONDS, &message);
        if (read == READ_END || read == READ_SILENCE || read == READ_FAILED || read == READ_TOO_LARGE) {
            printf("end %d\n", (int)read);
            break;
        }
        if (read != READ_MESSAGE) {
            printf("%s\n", read == READ_NOT_JSON ? "not-json" : "no-type");
            continue;
        }
        printf("message");
        print_slice(message.type);
        print_slice(message.id);
        print_slice(message.out);
        print_slice(message.err);
        print_slice(message.text);
        if (message.has_exit) {
            printf(" %ld\n", message.exit);
        } else {
            printf(" -\n");
        }
    }
    buffer_free(&connection.body);
    close(ends[0]);
    waitpid(feeder, NULL, 0);
    return 0;
}
