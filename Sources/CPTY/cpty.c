#define _GNU_SOURCE
#include "cpty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct report {
    int failure;
    enum cpty_step step;
};

/* Tells the parent what failed and ends the child. */
static void fail(int pipe, enum cpty_step step) {
    struct report report = {errno, step};
    ssize_t written = write(pipe, &report, sizeof report);
    (void)written;
    _exit(127);
}

static void reset_signals(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves a descriptor to 10 or above, so that filling 0, 1 and 2 overwrites none that is still needed. */
static int lift(int descriptor) {
    return descriptor > 9 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

static void run(const struct cpty_plan *plan, int pipe) {
    int streams[3];
    pipe = lift(pipe);
    setsid();
    for (int index = 0; index < 3; index++) {
        streams[index] = lift(plan->terminal >= 0 ? plan->terminal : plan->streams[index]);
        if (streams[index] < 0) fail(pipe, CPTY_STEP_STREAMS);
    }
    for (int index = 0; index < 3; index++) {
        if (dup2(streams[index], index) < 0) fail(pipe, CPTY_STEP_STREAMS);
    }
    if (plan->terminal >= 0 && ioctl(0, TIOCSCTTY, 0) < 0) fail(pipe, CPTY_STEP_TERMINAL);
    if (dup3(pipe, 3, O_CLOEXEC) < 0) fail(pipe, CPTY_STEP_STREAMS);
    pipe = 3;
    close_range(4, ~0U, 0);
    if (plan->directory && chdir(plan->directory) < 0) fail(pipe, CPTY_STEP_DIRECTORY);
    if (plan->mask >= 0) umask((mode_t)plan->mask);
    reset_signals();
    execvpe(plan->arguments[0], plan->arguments, plan->environment);
    fail(pipe, CPTY_STEP_EXEC);
}

pid_t cpty_spawn(const struct cpty_plan *plan, int *failure, enum cpty_step *step) {
    int ends[2];
    *step = CPTY_STEP_FORK;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        *failure = errno;
        return -1;
    }
    /* No handler of ours may run in the child. */
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t child = fork();
    if (child == 0) run(plan, ends[1]);
    *failure = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -1;
    }

    struct report report;
    ssize_t count;
    do count = read(ends[0], &report, sizeof report);
    while (count < 0 && errno == EINTR);
    close(ends[0]);
    if (count != sizeof report) {
        *step = CPTY_STEP_NONE;
        *failure = 0;
        return child;
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    *failure = report.failure;
    *step = report.step;
    return -1;
}

int cpty_open(int *master, int *slave, unsigned short columns, unsigned short rows) {
    char name[64];
    struct winsize size = {.ws_col = columns, .ws_row = rows};
    *slave = -1;
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0) return errno;
    if (grantpt(*master) == 0 && unlockpt(*master) == 0 && ptsname_r(*master, name, sizeof name) == 0 &&
        (*slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0 && ioctl(*master, TIOCSWINSZ, &size) == 0) {
        return 0;
    }
    int failure = errno;
    if (*slave >= 0) close(*slave);
    close(*master);
    return failure;
}
