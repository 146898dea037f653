#define _GNU_SOURCE
#include "ctree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DIRECTORY_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int is_other_device(int directory, int other) {
    struct stat first, second;
    return fstat(directory, &first) != 0 || fstat(other, &second) != 0 || first.st_dev != second.st_dev;
}

static int open_by_steps(int directory, const char *path, int crosses, int *opened) {
    int current = openat(directory, ".", DIRECTORY_FLAGS);
    if (current < 0) return errno;
    while (*path != 0) {
        size_t length = strcspn(path, "/");
        char name[NAME_MAX + 1];
        int failure = 0;
        if (length > NAME_MAX) {
            failure = ENAMETOOLONG;
        } else if (length > 0) {
            memcpy(name, path, length);
            name[length] = 0;
            if (strcmp(name, "..") == 0) failure = EXDEV;
        }
        if (failure == 0 && length > 0) {
            int next = openat(current, name, DIRECTORY_FLAGS);
            if (next < 0) {
                failure = errno;
            } else {
                if (!crosses && is_other_device(current, next)) failure = EXDEV;
                close(current);
                current = next;
            }
        }
        if (failure != 0) {
            close(current);
            return failure;
        }
        path += length;
        if (*path == '/') path++;
    }
    *opened = current;
    return 0;
}

int ctree_open(int directory, const char *path, int crosses, int *opened) {
    struct open_how how = {.flags = DIRECTORY_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    if (!crosses) how.resolve |= RESOLVE_NO_XDEV;
    *opened = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (*opened >= 0) return 0;
    /* Sandboxes that do not know the call report EPERM. */
    return errno == ENOSYS || errno == EPERM ? open_by_steps(directory, path, crosses, opened) : errno;
}

int ctree_attributes(int directory, const char *name, struct ctree_attributes *attributes) {
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name == 0 ? AT_EMPTY_PATH : 0);
    if (statx(directory, name, flags, STATX_MNT_ID, &status) != 0) return errno;
    attributes->mount = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
    attributes->is_immutable = (status.stx_attributes & STATX_ATTR_IMMUTABLE) != 0;
    attributes->is_append_only = (status.stx_attributes & STATX_ATTR_APPEND) != 0;
    return 0;
}

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

int ctree_set_mode(int file, mode_t mode) {
    struct stat status;
    if (fstat(file, &status) != 0) return errno;
    if (S_ISLNK(status.st_mode)) return ELOOP;
    if (syscall(SYS_fchmodat2, file, "", mode, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOSYS && errno != EPERM) return errno;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return chmod(path, mode) == 0 ? 0 : errno;
}

int ctree_move(int from, const char *name, int to, const char *new_name) {
    return renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int ctree_exchange(int first, const char *name, int second, const char *other_name) {
    return renameat2(first, name, second, other_name, RENAME_EXCHANGE) == 0 ? 0 : errno;
}
