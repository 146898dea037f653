/* libssh2_session_callback_set is deprecated since 1.11; its successor does not exist in 1.10. */
#define LIBSSH2_DISABLE_DEPRECATION
#include <libssh2.h>
#include <libssh2_sftp.h>
