#ifndef CLINUX_H
#define CLINUX_H

#include <sys/types.h>

/*
 * What Linux has and Swift's module of the C library does not show. Each returns 0, or an errno.
 */

/* Makes this process the parent of descendants whose own parents end: PR_SET_CHILD_SUBREAPER, prctl(2). */
int clinux_adopt_orphans(void);

/* Blocks the signals and makes a descriptor that is readable when one has come: signalfd(2). */
int clinux_open_signals(const int *signals, int count, int *descriptor);

/* Takes the next signal that has come; 0: none. */
int clinux_next_signal(int descriptor);

/* The user at the other end of a Unix socket: SO_PEERCRED, unix(7). */
int clinux_peer(int socket, uid_t *user);

/* Takes the next connection, non-blocking and close-on-exec: accept4(2). */
int clinux_accept(int socket, int *connection);

/* Gives the blocks of a part of a file back, its length staying as it is: FALLOC_FL_PUNCH_HOLE, fallocate(2). */
int clinux_release(int descriptor, off_t offset, off_t length);

/* Takes the blocks of a part of a file, its length staying as it is: FALLOC_FL_KEEP_SIZE, fallocate(2). */
int clinux_reserve(int descriptor, off_t offset, off_t length);

/* Gives each of two files the name of the other at once: RENAME_EXCHANGE, renameat2(2). */
int clinux_exchange(const char *first, const char *second);

/* Where the first byte stands at or behind an offset that is in no hole: SEEK_DATA, lseek(2). */
int clinux_first_data(int descriptor, off_t offset, off_t *found);

/* Opens the other end of a terminal pair, not as controlling terminal: TIOCGPTPEER, ioctl_tty(2). */
int clinux_open_slave(int master, int *slave);

/* Lets the allocator keep one arena and little that is free: mallopt(3). */
void clinux_spare_memory(void);

/* Gives memory that is free back to the system: malloc_trim(3). */
void clinux_return_memory(void);

#endif
