#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/*
 * Linux calls that Swift's C library module does not expose. Unless noted otherwise, each returns 0 or an errno.
 */

/* Makes this process the subreaper of its descendants: PR_SET_CHILD_SUBREAPER, prctl(2). */
int clinux_adopt_orphans(void);

/* Blocks the signals and creates a descriptor that is readable when one is pending: signalfd(2). */
int clinux_open_signals(const int *signals, int count, int *descriptor);

/* Consumes the next pending signal and returns its number; 0 if there is none. */
int clinux_next_signal(int descriptor);

/* The user ID of a Unix domain socket's peer: SO_PEERCRED, unix(7). */
int clinux_peer(int socket, uid_t *user);

/* Accepts the next connection, non-blocking and close-on-exec: accept4(2). */
int clinux_accept(int socket, int *connection);

/* Deallocates the blocks of a range of a file without changing its length: FALLOC_FL_PUNCH_HOLE, fallocate(2). */
int clinux_release(int descriptor, off_t offset, off_t length);

/* Allocates the blocks of a range of a file without changing its length: FALLOC_FL_KEEP_SIZE, fallocate(2). */
int clinux_reserve(int descriptor, off_t offset, off_t length);

/* Removes a directory with its contents, except those on other file systems, as far as possible: nftw(3), remove(3). */
void clinux_remove_tree(const char *path);

/* Atomically exchanges two files: RENAME_EXCHANGE, renameat2(2). */
int clinux_exchange(const char *first, const char *second);

/* Finds the first byte at or after an offset that is not in a hole: SEEK_DATA, lseek(2). */
int clinux_first_data(int descriptor, off_t offset, off_t *found);

/* Opens the slave side of a pseudo-terminal, but not as the controlling terminal: TIOCGPTPEER, ioctl_tty(2). */
int clinux_open_slave(int master, int *slave);

/* Creates a non-blocking, close-on-exec event counter: eventfd(2). */
int clinux_open_event(int *descriptor);

/*
 * Waits for descriptors, at most until a time of the monotonic clock in nanoseconds, or without a limit if it is NULL:
 * ppoll(2). Returns the number of ready descriptors; 0 if there are none.
 */
int clinux_poll(struct pollfd *requests, nfds_t count, const uint64_t *deadline);

/* The number of resources whose use can be limited. */
enum { clinux_limit_count = RLIM_NLIMITS };

/*
 * Reads the soft and the hard limit of each resource of a process into *limits, two numbers for each, or sets them:
 * prlimit(2). Limits that only the superuser may raise are left.
 */
int clinux_read_limits(pid_t process, uint64_t limits[2 * clinux_limit_count]);
void clinux_set_limits(pid_t process, const uint64_t limits[2 * clinux_limit_count]);

/* Makes name lookups use /etc/hosts and DNS only: __nss_configure_lookup in nss.h of glibc. Returns nothing. */
void clinux_use_built_in_host_services(void);

/* Limits the allocator to one arena and little reserved memory: mallopt(3). */
void clinux_spare_memory(void);

/*
 * Keeps freed buffers of up to `buffer` bytes, at most 32 MiB, and up to `total` bytes together, for reuse: mallopt(3).
 * By default, buffers of 128 KiB or more can be mapped and unmapped each time.
 */
void clinux_keep_memory(int buffer, int total);

/* Returns free memory to the system: malloc_trim(3). */
void clinux_return_memory(void);

#endif
