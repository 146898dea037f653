#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <nss.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/*
 * Without proc(5), not even the arguments are known. The check must precede the constructors of the Swift runtime, which
 * aborts a statically linked program that cannot find its own file.
 */
__attribute__((constructor(101))) static void require_proc(void) {
    static const char message[] = "vt: /proc is not mounted\nhint: mount it: mount -t proc proc /proc\n";
    if (access("/proc/self/cmdline", R_OK) == 0) return;
    ssize_t ignored = write(2, message, sizeof message - 1);
    (void)ignored;
    _exit(EX_OSERR);
}

int clinux_adopt_orphans(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int clinux_open_signals(const int *signals, int count, int *descriptor) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return errno;
    *descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return *descriptor >= 0 ? 0 : errno;
}

int clinux_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    ssize_t count;
    do count = read(descriptor, &information, sizeof information);
    while (count < 0 && errno == EINTR);
    return count == sizeof information ? (int)information.ssi_signo : 0;
}

int clinux_peer(int socket, uid_t *user) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return errno;
    *user = credentials.uid;
    return 0;
}

int clinux_accept(int socket, int *connection) {
    *connection = accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return *connection >= 0 ? 0 : errno;
}

int clinux_release(int descriptor, off_t offset, off_t length) {
    int result;
    do result = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int clinux_reserve(int descriptor, off_t offset, off_t length) {
    int result;
    do result = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int clinux_exchange(const char *first, const char *second) {
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int clinux_first_data(int descriptor, off_t offset, off_t *found) {
    *found = lseek(descriptor, offset, SEEK_DATA);
    return *found >= 0 ? 0 : errno;
}

int clinux_open_slave(int master, int *slave) {
    *slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return *slave >= 0 ? 0 : errno;
}

int clinux_open_event(int *descriptor) {
    *descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return *descriptor >= 0 ? 0 : errno;
}

int clinux_poll(struct pollfd *requests, nfds_t count, const uint64_t *deadline) {
    struct timespec limit = {0, 0};
    if (deadline != NULL) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
        uint64_t rest = *deadline > time ? *deadline - time : 0;
        limit = (struct timespec){(time_t)(rest / 1000000000), (long)(rest % 1000000000)};
    }
    int ready = ppoll(requests, count, deadline == NULL ? NULL : &limit, NULL);
    return ready > 0 ? ready : 0;
}

int clinux_read_limits(pid_t process, uint64_t *limits) {
    for (int resource = 0; resource < clinux_limit_count; resource++) {
        struct rlimit limit;
        if (prlimit(process, resource, NULL, &limit) < 0) return errno;
        limits[2 * resource] = limit.rlim_cur;
        limits[2 * resource + 1] = limit.rlim_max;
    }
    return 0;
}

void clinux_set_limits(pid_t process, const uint64_t *limits) {
    for (int resource = 0; resource < clinux_limit_count; resource++) {
        struct rlimit limit = {limits[2 * resource], limits[2 * resource + 1]};
        prlimit(process, resource, &limit, NULL);
    }
}

void clinux_use_built_in_host_services(void) {
    __nss_configure_lookup("hosts", "files dns");
}

void clinux_spare_memory(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, 64 << 10);
    mallopt(M_TOP_PAD, 0);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

void clinux_keep_memory(int buffer, int total) {
    mallopt(M_MMAP_THRESHOLD, buffer);
    mallopt(M_TRIM_THRESHOLD, total);
}

void clinux_return_memory(void) {
    malloc_trim(0);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position) {
    (void)status, (void)kind, (void)position;
    remove(path);
    return 0;
}

void clinux_remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
