#ifndef CPTY_H
#define CPTY_H

#include "cguard.h"

#include <sys/types.h>

/*
 * Starts programs. Swift cannot fork: between fork and exec only async-signal-safe functions may run, and the Swift
 * runtime gives no such promise.
 */

/* What cannot be done in the new process. */
enum cpty_step {
    CPTY_STEP_NONE = 0,
    CPTY_STEP_FORK,
    CPTY_STEP_TERMINAL,
    CPTY_STEP_STREAMS,
    CPTY_STEP_DIRECTORY,
    CPTY_STEP_EXEC,
};

struct cpty_plan {
    /* NULL-terminated; the first word is looked up in PATH when it holds no slash. */
    char *const *arguments;
    /* NULL-terminated NAME=VALUE. */
    char *const *environment;
    /* Where the program starts; NULL: here. */
    const char *directory;
    /* The slave side of a terminal for descriptors 0, 1 and 2, which becomes the controlling terminal; or -1. */
    int terminal;
    /* Without a terminal: what becomes descriptors 0, 1 and 2. They stay open here. */
    int streams[3];
    /* The program's file mode creation mask; -1: ours. */
    int mask;
};

/* A process that waits to become a program. */
struct cpty_start {
    pid_t child;
    /* Private: where the process waits, and where it reports what failed. */
    int gate;
    int reports;
};

/*
 * Makes the process of a program, in a session of its own, and lets it wait before it does anything else, so that its
 * number can be noted. It ends by itself when this process ends before cpty_exec. Returns its number, or -1 and sets
 * *failure to the errno. What it succeeded with is given to cpty_exec or cpty_cancel, once.
 */
pid_t cpty_fork(const struct cpty_plan *plan, struct cpty_start *start, int *failure);

/*
 * Lets the process become the program, with default signal actions, no signal blocked and no descriptor but 0, 1 and 2.
 * Returns 0 once it is exec'ed; else the errno, and sets *step to what failed: no process is left then.
 */
int cpty_exec(struct cpty_start *start, enum cpty_step *step);

/* Ends the process, which has done nothing. */
void cpty_cancel(struct cpty_start *start);

/*
 * Opens a terminal pair of this size, both ends close-on-exec, for lines in UTF-8. Returns 0 or an errno.
 */
int cpty_open(int *master, int *slave, unsigned short columns, unsigned short rows);

#endif
