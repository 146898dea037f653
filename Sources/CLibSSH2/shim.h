/* libssh2_session_callback_set is deprecated since 1.11; its successor does not exist in 1.10. */
#define LIBSSH2_DISABLE_DEPRECATION
#include <libssh2.h>
#include <libssh2_sftp.h>
#include <stdbool.h>
#include <stdint.h>

/* Not part of the API: a shared library does not export it, so that it is missing then. */
extern __attribute__((weak)) int _libssh2_bcrypt_pbkdf(const char *passphrase, size_t passphrase_length,
                                                       const uint8_t *salt, size_t salt_length, uint8_t *key,
                                                       size_t key_length, unsigned int rounds);

static inline bool has_bcrypt_pbkdf(void) {
    return _libssh2_bcrypt_pbkdf != 0;
}

/* Derives a key as bcrypt_pbkdf(3) of OpenBSD does; returns 0, or -1 on failure. */
static inline int derive_key(const uint8_t *passphrase, size_t passphrase_length, const uint8_t *salt,
                             size_t salt_length, uint8_t *key, size_t key_length, unsigned int rounds) {
    if (!has_bcrypt_pbkdf()) return -1;
    return _libssh2_bcrypt_pbkdf((const char *)passphrase, passphrase_length, salt, salt_length, key, key_length, rounds);
}
