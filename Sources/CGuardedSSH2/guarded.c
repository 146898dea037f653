#include "guarded.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a failed assertion continues: in the guarded call that this thread is making; otherwise NULL. */
static _Thread_local jmp_buf *target;

/*
 * Replaces the function of the C library that assert(3) calls; that of an executable takes precedence over those of
 * shared libraries (ld.so(8)) and archives. Between it and the guarded call are only functions of libssh2, because the
 * functions that libssh2 calls back, and libcrypto, do not use assert(3).
 */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) {
    if (target) longjmp(*target, 1);
    fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, function, assertion);
    abort();
}

#define GUARD(type, failure, preparation, call)                                                                        \
    {                                                                                                                  \
        jmp_buf here;                                                                                                  \
        if (*failed) return failure;                                                                                   \
        if (setjmp(here) != 0) {                                                                                       \
            target = NULL;                                                                                             \
            *failed = true;                                                                                            \
            return failure;                                                                                            \
        }                                                                                                              \
        target = &here;                                                                                                \
        preparation;                                                                                                   \
        type result = call;                                                                                            \
        target = NULL;                                                                                                 \
        return result;                                                                                                 \
    }

#define CALL(type, name, parameters, arguments)                                                                        \
    type guarded_##name parameters GUARD(type, LIBSSH2_ERROR_SOCKET_DISCONNECT, , libssh2_##name arguments)
#define POINTER_CALL(type, name, parameters, arguments)                                                                \
    type guarded_##name parameters                                                                                     \
        GUARD(type, NULL, libssh2_session_set_last_error(session, LIBSSH2_ERROR_NONE, ""), libssh2_##name arguments)
GUARDED_CALLS(CALL, POINTER_CALL)

LIBSSH2_CHANNEL *guarded_channel_forward_accept(bool *failed, LIBSSH2_LISTENER *listener)
    GUARD(LIBSSH2_CHANNEL *, NULL, , libssh2_channel_forward_accept(listener))

/* Declared since 1.11; with earlier versions, the address is NULL. */
__attribute__((weak)) int libssh2_channel_signal_ex(LIBSSH2_CHANNEL *channel, const char *name, size_t length);

bool guarded_can_signal(void) {
    return libssh2_channel_signal_ex;
}

int guarded_channel_signal_ex(bool *failed, LIBSSH2_CHANNEL *channel, const char *name, size_t length) {
    if (!libssh2_channel_signal_ex) return LIBSSH2_ERROR_METHOD_NOT_SUPPORTED;
    GUARD(int, LIBSSH2_ERROR_SOCKET_DISCONNECT, , libssh2_channel_signal_ex(channel, name, length))
}
