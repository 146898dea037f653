#ifndef CGUARD_H
#define CGUARD_H

#include <stddef.h>
#include <termios.h>

/*
 * Restores a terminal when a signal reports a crash of this process: SEGV, BUS, ILL, FPE, TRAP, SYS or ABRT. The
 * handlers call only async-signal-safe functions (signal-safety(7)): poll, write, tcsetattr, tcgetpgrp, getpgrp,
 * getpid, kill, sigaction and raise.
 *
 * TTIN and TTOU sent to a foreground process become TSTP, which the process must handle.
 */

/* Starts guarding; `former` contains the settings to restore on `input`, or is NULL. */
void cguard_begin(int input, const struct termios *former, int output);

/*
 * Stores the bytes to write to the output when the terminal is restored, replacing earlier ones; stores none if there
 * are more than 8192.
 */
void cguard_prepare(const void *bytes, size_t count);

/* Restores the terminal now, unless it has already been restored. */
void cguard_restore(void);

/* Stops guarding. */
void cguard_end(void);

#endif
