#define _GNU_SOURCE
#include "cpty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct report {
    int failure;
    enum cpty_step step;
};

/* Reports the failure to the parent and exits the child. */
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

/* Duplicates a descriptor to 10 or above, so that setting 0, 1 and 2 does not overwrite one that is still needed. */
static int lift(int descriptor) {
    return descriptor > 9 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

/* Waits until the parent opens the gate. If the parent has died, it might not have recorded this process, so exit. */
static void wait_at(int gate) {
    char byte;
    ssize_t count;
    do count = read(gate, &byte, 1);
    while (count < 0 && errno == EINTR);
    if (count != 1) _exit(127);
}

static void run(const struct cpty_plan *plan, int pipe, int gate) {
    int streams[3];
    pipe = lift(pipe);
    if (!plan->shares_session) setsid();
    wait_at(gate);
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
    closefrom(4);
    if (plan->directory && chdir(plan->directory) < 0) fail(pipe, CPTY_STEP_DIRECTORY);
    if (plan->mask >= 0) umask((mode_t)plan->mask);
    reset_signals();
    execvpe(plan->arguments[0], plan->arguments, plan->environment);
    fail(pipe, CPTY_STEP_EXEC);
}

/* Reads the child's report. 0 means that there is none because exec succeeded. */
static int receive(int pipe, struct report *report) {
    ssize_t count;
    do count = read(pipe, report, sizeof *report);
    while (count < 0 && errno == EINTR);
    return count == sizeof *report;
}

pid_t cpty_fork(const struct cpty_plan *plan, struct cpty_start *start, int *failure) {
    int reports[2], gate[2];
    if (pipe2(reports, O_CLOEXEC) < 0) {
        *failure = errno;
        return -1;
    }
    /* A socket, because writing to it does not raise SIGPIPE if the child has been killed. */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0) {
        *failure = errno;
        close(reports[0]);
        close(reports[1]);
        return -1;
    }
    /* No signal handlers may run in the child. */
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t child = fork();
    if (child == 0) {
        /* Otherwise the child itself would keep the gate open. */
        close(gate[1]);
        run(plan, reports[1], gate[0]);
    }
    *failure = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    close(reports[1]);
    close(gate[0]);
    if (child < 0) {
        close(reports[0]);
        close(gate[1]);
        return -1;
    }
    *start = (struct cpty_start){child, gate[1], reports[0]};
    return child;
}

int cpty_exec(struct cpty_start *start, enum cpty_step *step) {
    struct report report;
    char byte = 0;
    ssize_t written;
    /* An error means that the child has been killed, which its exit status will show. */
    do written = send(start->gate, &byte, 1, MSG_NOSIGNAL);
    while (written < 0 && errno == EINTR);
    close(start->gate);
    int has_failed = receive(start->reports, &report);
    close(start->reports);
    if (!has_failed) {
        *step = CPTY_STEP_NONE;
        return 0;
    }
    while (waitpid(start->child, NULL, 0) < 0 && errno == EINTR) {}
    *step = report.step;
    return report.failure;
}

void cpty_cancel(struct cpty_start *start) {
    close(start->gate);
    close(start->reports);
    while (waitpid(start->child, NULL, 0) < 0 && errno == EINTR) {}
}

/* Makes the erase key delete whole UTF-8 characters: IUTF8, termios(3). */
static int expect_utf8(int terminal) {
    struct termios modes;
    if (tcgetattr(terminal, &modes) < 0) return -1;
    modes.c_iflag |= IUTF8;
    return tcsetattr(terminal, TCSANOW, &modes);
}

int cpty_open(int *master, int *slave, unsigned short columns, unsigned short rows) {
    char name[64];
    struct winsize size = {.ws_col = columns, .ws_row = rows};
    *slave = -1;
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0) return errno;
    if (grantpt(*master) == 0 && unlockpt(*master) == 0 && ptsname_r(*master, name, sizeof name) == 0 &&
        (*slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0 && ioctl(*master, TIOCSWINSZ, &size) == 0 &&
        expect_utf8(*slave) == 0) {
        return 0;
    }
    int failure = errno;
    if (*slave >= 0) close(*slave);
    close(*master);
    return failure;
}
