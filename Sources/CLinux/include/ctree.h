#ifndef CTREE_H
#define CTREE_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Calls on the files in a directory that never leave it, whatever other processes do to its files meanwhile. Unless
 * noted otherwise, each returns 0 or an errno.
 */

/*
 * Opens a directory below another one, for examining it and as a base for other calls. The path is relative, and is not
 * resolved through symbolic links or, unless `crosses`, to another mount (EXDEV): RESOLVE_BENEATH, openat2(2). Kernels
 * without openat2, before Linux 5.6, open each part of the path with O_NOFOLLOW, and compare file systems instead of
 * mounts.
 */
int ctree_open(int directory, const char *path, int crosses, int *opened);

/* What a rollback must know of a file besides stat(2). */
struct ctree_attributes {
    /* The mount; 0 if the kernel does not report it, before Linux 5.8. */
    uint64_t mount;
    /* Whether the file, or the names in the directory, cannot be changed: chattr(1). */
    int is_immutable;
    int is_append_only;
};

/* Examines a file in a directory, or the directory if the name is empty: statx(2). */
int ctree_attributes(int directory, const char *name, struct ctree_attributes *attributes);

/*
 * Sets the mode of the open file, whose descriptor can be opened with O_PATH, but cannot be that of a symbolic link:
 * fchmodat2(2) or, before Linux 6.6, chmod(2) through /proc.
 */
int ctree_set_mode(int file, mode_t mode);

/* Gives a file another name, unless that exists: RENAME_NOREPLACE, renameat2(2). */
int ctree_move(int from, const char *name, int to, const char *new_name);

/* Exchanges two files: RENAME_EXCHANGE, renameat2(2). */
int ctree_exchange(int first, const char *name, int second, const char *other_name);

#endif
