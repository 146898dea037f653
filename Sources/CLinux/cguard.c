#include "cguard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct reset {
    size_t count;
    char bytes[8192];
};

static int input_descriptor, output_descriptor;
static int has_settings;
static struct termios settings;
static atomic_int is_active;

/* Double-buffered, so that a signal during an update finds complete contents. */
static struct reset resets[2];
static atomic_int current;

void cguard_restore(void) {
    if (!atomic_exchange(&is_active, 0)) return;
    const struct reset *reset = &resets[atomic_load(&current)];
    size_t written = 0;
    while (written < reset->count) {
        /* Do not block on a terminal that accepts no output. */
        struct pollfd request = {.fd = output_descriptor, .events = POLLOUT};
        if (poll(&request, 1, 200) != 1) break;
        ssize_t result = write(output_descriptor, reset->bytes + written, reset->count - written);
        if (result < 0 && errno != EINTR) break;
        if (result > 0) written += (size_t)result;
    }
    if (has_settings) tcsetattr(input_descriptor, TCSANOW, &settings);
}

static void handle(int number) {
    cguard_restore();
    /* The default action has been restored (SA_RESETHAND). */
    raise(number);
}

/*
 * TTIN and TTOU stop a background process that uses the terminal; such a process must not change the terminal's
 * settings. A foreground process that receives one of them sends itself TSTP, which it handles by restoring the
 * terminal before it stops.
 */
static void stop(int number) {
    int failure = errno;
    if (atomic_load(&is_active) && tcgetpgrp(input_descriptor) == getpgrp()) {
        kill(getpid(), SIGTSTP);
    } else {
        struct sigaction usual = {.sa_handler = SIG_DFL}, former;
        sigaction(number, &usual, &former);
        raise(number);
        sigaction(number, &former, NULL);
    }
    errno = failure;
}

/* Signals that were ignored at startup stay ignored. */
static void handle_stop(int number) {
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_NODEFER | SA_RESTART}, former;
    if (sigaction(number, NULL, &former) == 0 && former.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void cguard_begin(int input, const struct termios *former, int output) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
    input_descriptor = input;
    output_descriptor = output;
    has_settings = former != NULL;
    if (former) settings = *former;
    cguard_prepare(NULL, 0);
    atomic_store(&is_active, 1);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
    handle_stop(SIGTTIN);
    handle_stop(SIGTTOU);
}

void cguard_prepare(const void *bytes, size_t count) {
    int next = 1 - atomic_load(&current);
    if (count > sizeof resets[next].bytes) count = 0;
    if (count > 0) memcpy(resets[next].bytes, bytes, count);
    resets[next].count = count;
    atomic_store(&current, next);
}

void cguard_end(void) {
    atomic_store(&is_active, 0);
}
