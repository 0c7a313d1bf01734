/* Finds the daemon's socket by the rules of `boathook/runtime_folder.py` and `wire/socket_address.py`, and connects.
 *
 * Nothing is created or repaired here: where a check fails, the Python client does that, or explains it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/ucred.h>
#endif

#include "client.h"

enum { OPEN_TO_OTHERS = 077, FIRST_OWN_DESCRIPTOR = 3 };

static uint32_t crc32_of(const char *text) {
    uint32_t sum = 0xFFFFFFFF;
    for (; *text; text++) {
        sum ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++) {
            sum = (sum >> 1) ^ (sum & 1 ? 0xEDB88320 : 0);
        }
    }
    return ~sum;
}

static bool format_path(char *to, size_t room, const char *folder, const char *below) {
    int length = snprintf(to, room, "%s%s", folder, below);
    return length >= 0 && (size_t)length < room;
}

/* An absolute path without slashes at its end; false if it is not absolute or too long. */
static bool copy_absolute(char *to, size_t room, const char *path) {
    if (path == NULL || path[0] != '/' || !format_path(to, room, path, "")) {
        return false;
    }
    for (size_t length = strlen(to); length > 1 && to[length - 1] == '/'; length--) {
        to[length - 1] = '\0';
    }
    return true;
}

static bool is_private(const char *folder) {
    struct stat facts;
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0) {
        return false;
    }
    bool known = fstat(opened, &facts) == 0;
    close(opened);
    return known && facts.st_uid == geteuid() && (facts.st_mode & OPEN_TO_OTHERS) == 0 &&
           access(folder, W_OK | X_OK) == 0;
}

static bool short_folder(char *to, size_t room, const char *whole) {
    int length = snprintf(to, room, "/tmp/boathook-%lu-%08lx", (unsigned long)geteuid(),
                          (unsigned long)crc32_of(whole));
    return length >= 0 && (size_t)length < room;
}

/* The daemon's private folder. */
static bool daemon_folder(char *folder, size_t room) {
    char home[BH_PATH_BYTES];
    struct stat facts;
    const char *named = getenv("BOATHOOK_RUNTIME_DIR");
    if (named != NULL && named[0] == '/') {
        return copy_absolute(folder, room, named) && is_private(folder);
    }
    if (!copy_absolute(home, sizeof home, getenv("HOME"))) {
        return false; /* the system's entry: rare, and it would need the system's name services */
    }
    bool is_ours = stat(home, &facts) == 0 && facts.st_uid == geteuid();
    bool made = is_ours ? format_path(folder, room, home, "/.cache/boathook/run") : short_folder(folder, room, home);
    return made && is_private(folder);
}

/* The socket of this user's daemon; false if the folder is missing or not private. */
bool reach_socket_path(char *path, size_t room) {
    char folder[BH_PATH_BYTES], other[BH_PATH_BYTES];
    if (!daemon_folder(folder, sizeof folder)) {
        return false;
    }
    if (strlen(folder) + strlen("/" BH_SOCKET_NAME) > BH_LONGEST_SOCKET_PATH) {
        if (!short_folder(other, sizeof other, folder) || !is_private(other)) {
            return false;
        }
        memcpy(folder, other, sizeof folder);
    }
    struct stat facts;
    return format_path(path, room, folder, "/" BH_SOCKET_NAME) && lstat(path, &facts) == 0 &&
           S_ISSOCK(facts.st_mode) && facts.st_uid == geteuid() && (facts.st_mode & OPEN_TO_OTHERS) == 0;
}

/* Whether the process at the other end belongs to this user, by the kernel's word. */
static bool is_own_peer(int connected) {
#if defined(__APPLE__)
    struct xucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(connected, 0 /* SOL_LOCAL */, LOCAL_PEERCRED, &peer, &length) == 0 && peer.cr_uid == geteuid();
#else
    struct {
        pid_t pid;
        uid_t uid;
        gid_t gid;
    } peer;
    socklen_t length = sizeof peer;
    return getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && length == sizeof peer &&
           peer.uid == geteuid();
#endif
}

/* A socket whose descriptor is not that of a closed standard stream. */
static int own_socket(void) {
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made < 0) {
        return -1;
    }
    int moved = fcntl(made, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
    close(made);
    if (moved >= 0 && fcntl(moved, F_SETFL, fcntl(moved, F_GETFL) | O_NONBLOCK) < 0) {
        close(moved);
        return -1;
    }
    return moved;
}

/* Connect to our own daemon; false for every other state of the socket. */
bool reach_connect(const char *path, Connection *connection) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int connected = own_socket();
    if (connected < 0 || !format_path(address.sun_path, sizeof address.sun_path, path, "")) {
        return false;
    }
    if (connect(connected, (struct sockaddr *)&address, sizeof address) != 0 || !is_own_peer(connected)) {
        close(connected);
        return false;
    }
    *connection = (Connection){connected, -1, buffer_of(BH_LIMIT_BYTES), SIZE_MAX};
    return true;
}
