#ifndef CGUARD_H
#define CGUARD_H

#include <stddef.h>
#include <termios.h>

/*
 * Gives a terminal back as it was when this process ends by a fault: SEGV, BUS, ILL, FPE, TRAP, SYS and ABRT. What the
 * handlers do is safe in one (signal-safety(7)): poll, write, tcsetattr, tcgetpgrp, kill and raise.
 *
 * TTIN and TTOU that are sent to a process in the foreground become TSTP, which the process is to take.
 */

/* Begins; `former` are the settings of `input`, or NULL where there are none to set. */
void cguard_begin(int input, const struct termios *former, int output);

/* Keeps what is to be written to the output, in the place of what was kept before; too much is not kept. */
void cguard_prepare(const void *bytes, size_t count);

/* Does it now, once. */
void cguard_restore(void);

/* Ends: nothing is done after. */
void cguard_end(void);

#endif
