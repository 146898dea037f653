/* libssh2_session_callback_set is deprecated from 1.11 on; its successor does not exist in 1.10. */
#define LIBSSH2_DISABLE_DEPRECATION
#include <libssh2.h>
#include <libssh2_sftp.h>
