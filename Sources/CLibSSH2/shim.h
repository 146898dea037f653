/* libssh2_session_callback_set is deprecated since 1.11; its successor does not exist in 1.10. */
#define LIBSSH2_DISABLE_DEPRECATION
#include <libssh2.h>
#include <libssh2_sftp.h>

/* Declared since 1.11; with earlier versions, the address is NULL. */
__attribute__((weak)) int libssh2_channel_signal_ex(LIBSSH2_CHANNEL *channel, const char *name, size_t length);

static inline int clibssh2_channel_signal(LIBSSH2_CHANNEL *channel, const char *name, size_t length) {
    return libssh2_channel_signal_ex ? libssh2_channel_signal_ex(channel, name, length)
                                     : LIBSSH2_ERROR_METHOD_NOT_SUPPORTED;
}
