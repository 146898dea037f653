#ifndef CPTY_H
#define CPTY_H

#include "cguard.h"

#include <sys/types.h>

/*
 * Starts programs. Swift cannot fork: only async-signal-safe functions may be called between fork and exec, and the
 * Swift runtime does not guarantee that.
 */

/* The step that failed in the new process. */
enum cpty_step {
    CPTY_STEP_NONE = 0,
    CPTY_STEP_FORK,
    CPTY_STEP_TERMINAL,
    CPTY_STEP_STREAMS,
    CPTY_STEP_DIRECTORY,
    CPTY_STEP_EXEC,
};

struct cpty_plan {
    /* NULL-terminated; a first word without a slash is looked up in PATH. */
    char *const *arguments;
    /* NULL-terminated NAME=VALUE. */
    char *const *environment;
    /* The working directory of the program; NULL for the current one. */
    const char *directory;
    /* The slave side of a terminal for descriptors 0, 1 and 2, which becomes the controlling terminal; or -1. */
    int terminal;
    /* Without a terminal: the sources of descriptors 0, 1 and 2. They stay open in the parent. */
    int streams[3];
    /* The program's umask; -1 for the current one. */
    int mask;
    /* Whether the program stays in the session and process group of this process, instead of in a new session. */
    int shares_session;
};

/* A new process that waits before it executes its program. */
struct cpty_start {
    pid_t child;
    /* Private: the gate at which the process waits, and the pipe on which it reports failures. */
    int gate;
    int reports;
};

/*
 * Creates the process of a program. The process waits before it does anything, so that its PID can be recorded, and
 * exits if this process ends before cpty_exec. Returns the PID, or -1 and sets *failure to the errno. On success,
 * *start must be passed to cpty_exec or cpty_cancel, once.
 */
pid_t cpty_fork(const struct cpty_plan *plan, struct cpty_start *start, int *failure);

/*
 * Makes the process execute the program, with default signal actions, no blocked signals and only descriptors 0, 1 and
 * 2. Returns 0 once exec has succeeded; otherwise, reaps the process, sets *step to the step that failed, and returns
 * the errno.
 */
int cpty_exec(struct cpty_start *start, enum cpty_step *step);

/* Ends and reaps the process without executing the program. */
void cpty_cancel(struct cpty_start *start);

/*
 * Opens a pseudo-terminal pair of this size, both ends close-on-exec, in UTF-8 mode. Returns 0 or an errno.
 */
int cpty_open(int *master, int *slave, unsigned short columns, unsigned short rows);

#endif
