#ifndef GUARDED_H
#define GUARDED_H

#include <libssh2.h>
#include <stdbool.h>

/*
 * The calls of libssh2 that process packets, guarded against its assertions: the length of a packet is asserted to fit
 * the cipher before the MAC of the packet is checked (transport.c), so that one flipped bit would end the process.
 *
 * `guarded_NAME` calls `libssh2_NAME`. If an assertion fails, the call is abandoned and sets `*failed`, which belongs to
 * the session. Once it is set, no call uses the session any more: each fails at once, as for a lost connection. Calls
 * that return pointers set the session's error code to 0 unless libssh2 reports an error.
 *
 * This costs a setjmp(3) for each call. A process for each connection would cost some milliseconds and a megabyte.
 */
#define GUARDED_CALLS(CALL, POINTER_CALL)                                                                              \
    CALL(int, session_handshake, (bool *failed, LIBSSH2_SESSION *session, int socket), (session, socket))              \
    CALL(int, session_free, (bool *failed, LIBSSH2_SESSION *session), (session))                                       \
    CALL(int, session_disconnect_ex,                                                                                   \
         (bool *failed, LIBSSH2_SESSION *session, int reason, const char *description, const char *language),          \
         (session, reason, description, language))                                                                     \
    CALL(int, keepalive_send, (bool *failed, LIBSSH2_SESSION *session, int *seconds), (session, seconds))              \
    POINTER_CALL(char *, userauth_list,                                                                                \
                 (bool *failed, LIBSSH2_SESSION *session, const char *user, unsigned int length),                      \
                 (session, user, length))                                                                              \
    CALL(int, userauth_publickey_frommemory,                                                                           \
         (bool *failed, LIBSSH2_SESSION *session, const char *user, size_t length, const char *public_key,             \
          size_t public_length, const char *private_key, size_t private_length, const char *passphrase),               \
         (session, user, length, public_key, public_length, private_key, private_length, passphrase))                  \
    CALL(int, userauth_publickey,                                                                                      \
         (bool *failed, LIBSSH2_SESSION *session, const char *user, const unsigned char *key, size_t length,           \
          LIBSSH2_USERAUTH_PUBLICKEY_SIGN_FUNC((*sign)), void **context),                                              \
         (session, user, key, length, sign, context))                                                                  \
    CALL(int, userauth_password_ex,                                                                                    \
         (bool *failed, LIBSSH2_SESSION *session, const char *user, unsigned int length, const char *password,         \
          unsigned int password_length, LIBSSH2_PASSWD_CHANGEREQ_FUNC((*change))),                                     \
         (session, user, length, password, password_length, change))                                                   \
    CALL(int, userauth_keyboard_interactive_ex,                                                                        \
         (bool *failed, LIBSSH2_SESSION *session, const char *user, unsigned int length,                               \
          LIBSSH2_USERAUTH_KBDINT_RESPONSE_FUNC((*respond))),                                                          \
         (session, user, length, respond))                                                                             \
    POINTER_CALL(LIBSSH2_CHANNEL *, channel_open_ex,                                                                   \
                 (bool *failed, LIBSSH2_SESSION *session, const char *type, unsigned int type_length,                  \
                  unsigned int window, unsigned int packet, const char *data, unsigned int length),                    \
                 (session, type, type_length, window, packet, data, length))                                           \
    POINTER_CALL(LIBSSH2_LISTENER *, channel_forward_listen_ex,                                                        \
                 (bool *failed, LIBSSH2_SESSION *session, const char *host, int port, int *bound, int maximum),        \
                 (session, host, port, bound, maximum))                                                                \
    CALL(int, channel_forward_cancel, (bool *failed, LIBSSH2_LISTENER *listener), (listener))                          \
    CALL(int, channel_request_pty_ex,                                                                                  \
         (bool *failed, LIBSSH2_CHANNEL *channel, const char *type, unsigned int type_length, const char *modes,       \
          unsigned int modes_length, int columns, int rows, int width, int height),                                    \
         (channel, type, type_length, modes, modes_length, columns, rows, width, height))                              \
    CALL(int, channel_request_pty_size_ex,                                                                             \
         (bool *failed, LIBSSH2_CHANNEL *channel, int columns, int rows, int width, int height),                       \
         (channel, columns, rows, width, height))                                                                      \
    CALL(int, channel_setenv_ex,                                                                                       \
         (bool *failed, LIBSSH2_CHANNEL *channel, const char *name, unsigned int name_length, const char *value,       \
          unsigned int value_length),                                                                                  \
         (channel, name, name_length, value, value_length))                                                            \
    CALL(int, channel_process_startup,                                                                                 \
         (bool *failed, LIBSSH2_CHANNEL *channel, const char *request, unsigned int request_length, const char *text,  \
          unsigned int length),                                                                                        \
         (channel, request, request_length, text, length))                                                             \
    CALL(ssize_t, channel_read_ex,                                                                                     \
         (bool *failed, LIBSSH2_CHANNEL *channel, int stream, char *buffer, size_t size),                              \
         (channel, stream, buffer, size))                                                                              \
    CALL(ssize_t, channel_write_ex,                                                                                    \
         (bool *failed, LIBSSH2_CHANNEL *channel, int stream, const char *bytes, size_t count),                        \
         (channel, stream, bytes, count))                                                                              \
    CALL(int, channel_flush_ex, (bool *failed, LIBSSH2_CHANNEL *channel, int stream), (channel, stream))               \
    CALL(int, channel_handle_extended_data2, (bool *failed, LIBSSH2_CHANNEL *channel, int mode), (channel, mode))      \
    CALL(int, channel_send_eof, (bool *failed, LIBSSH2_CHANNEL *channel), (channel))                                   \
    CALL(int, channel_wait_closed, (bool *failed, LIBSSH2_CHANNEL *channel), (channel))                                \
    CALL(int, channel_free, (bool *failed, LIBSSH2_CHANNEL *channel), (channel))

#define GUARDED_DECLARATION(type, name, parameters, arguments) type guarded_##name parameters;
GUARDED_CALLS(GUARDED_DECLARATION, GUARDED_DECLARATION)

LIBSSH2_CHANNEL *guarded_channel_forward_accept(bool *failed, LIBSSH2_LISTENER *listener);

/* Whether the library can send signals, as since libssh2 1.11. */
bool guarded_can_signal(void);

/* Fails with LIBSSH2_ERROR_METHOD_NOT_SUPPORTED if the library cannot send signals. */
int guarded_channel_signal_ex(bool *failed, LIBSSH2_CHANNEL *channel, const char *name, size_t length);

#endif
