"""System call numbers by architecture, and those that jailed code does not need."""

from __future__ import annotations

from typing import NamedTuple

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

DENIED: dict[str, tuple[int | None, int | None]] = {
    # sockets: the one channel to the daemon is open already
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242), "socketpair": (53, 199),
    # other programs
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None), "unshare": (272, 97),
    "setns": (308, 268), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "kcmp": (312, 272), "waitid": (247, 95),
    # the machine
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "swapon": (167, 224),
    "swapoff": (168, 225), "reboot": (169, 142), "sethostname": (170, 161), "setdomainname": (171, 162),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116), "sync": (162, 81), "syncfs": (306, 267), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsmount": (432, 432), "mount_setattr": (442, 442),
    "kexec_file_load": (320, 294), "fsconfig": (431, 431), "fspick": (433, 433), "iopl": (172, None),
    "ioperm": (173, None), "mknod": (133, None), "mknodat": (259, 33),
    # facts about files, which Landlock does not guard
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12),
    "flistxattr": (196, 13), "setxattrat": (463, 463), "getxattrat": (464, 464), "listxattrat": (465, 465),
    "removexattrat": (466, 466), "file_getattr": (468, 468), "file_setattr": (469, 469), "cachestat": (451, 451),
    "statmount": (457, 457), "listmount": (458, 458), "open_tree_attr": (467, 467),
    # events about files of others, and locks that others wait for
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "flock": (73, 32),
    # the order in which other processes run
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30), "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # interfaces into the kernel
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "seccomp": (317, 277), "personality": (135, 92), "io_setup": (206, 0),
    # memory and messages that other processes could share: making them, and also using them by an id, which can be guessed
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197), "msgget": (68, 186),
    "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182), "mq_timedreceive": (243, 183), "mq_notify": (244, 184), "mq_getsetattr": (245, 185),
    "memfd_secret": (447, 447), "lookup_dcookie": (212, 18), "vhangup": (153, 58),
    # memory that no limit counts
    "memfd_create": (319, 279),
}  # fmt: skip
"""Refused with EPERM: x86-64, then arm64; None if it does not exist."""

CLONE = {"x86_64": 56, "aarch64": 220}
"""Allowed for threads only."""
CLONE3 = 435
"""Answered with ENOSYS, so that threads are started with the older call, whose flags can be checked."""


class ArgumentRule(NamedTuple):
    """A system call that is decided by one of its arguments."""

    numbers: dict[str, int]
    position: int
    values: tuple[int, ...] = ()
    allowed: bool = True
    """Whether the values are the only allowed ones, or the only refused ones."""


OWN_PROCESS = {
    "kill": ArgumentRule({"x86_64": 62, "aarch64": 129}, 0),
    "tkill": ArgumentRule({"x86_64": 200, "aarch64": 130}, 0),
    "tgkill": ArgumentRule({"x86_64": 234, "aarch64": 131}, 0),
}
"""Allowed for the process itself only, whose id is the one value."""

BY_ARGUMENT = {
    "prlimit": ArgumentRule({"x86_64": 302, "aarch64": 261}, 0, (0,)),
    # Duplicates, flags and record locks. Not an owner or a signal for events, which would reach any process of the user,
    # and no lease or notification, for which other programs wait.
    "fcntl": ArgumentRule(
        {"x86_64": 72, "aarch64": 25}, 1, (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032, 1034)
    ),
    # Whether it is a terminal and how large, bytes to read, blocking, and inheritance. Landlock knows only devices, from version 5 on.
    "ioctl": ArgumentRule(
        {"x86_64": 16, "aarch64": 29}, 1, (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
    ),
    # It exits with its parent, and stays visible to it.
    "prctl": ArgumentRule({"x86_64": 157, "aarch64": 167}, 0, (1, 4), allowed=False),
}


def number(name: str, machine: str) -> int | None:
    """The number of a system call on this architecture."""
    return DENIED[name][list(AUDIT_ARCHITECTURES).index(machine)]


def denied_numbers(machine: str, *, but: tuple[str, ...] = ()) -> list[int]:
    """The numbers that are refused on this architecture."""
    column = list(AUDIT_ARCHITECTURES).index(machine)
    found = {numbers[column] for name, numbers in DENIED.items() if name not in but}
    return sorted(number for number in found if number is not None)
