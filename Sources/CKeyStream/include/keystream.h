#ifndef KEYSTREAM_H
#define KEYSTREAM_H

/*
 * Makes OpenSSL 3 compute the key stream of AES-128-CTR, AES-192-CTR and AES-256-CTR in chunks of up to 4 KiB, which
 * makes calls with few bytes, such as libssh2's with 16, several times faster. The results are those of the default
 * provider, which still computes the key stream, all other algorithms, and AES-CTR requested with `provider=default`.
 *
 * Loads a provider into the default library context and replaces that context's default property query by
 * `?provider=vt-keystream`. Contexts that have been initialized before keep their implementation.
 *
 * Must be called before other threads use OpenSSL, and should be called before it generates its first random number, or
 * else random numbers take longer; calls after the first, from any thread, return its result. Loads the configuration of
 * OpenSSL unless OPENSSL_init_crypto has been called with OPENSSL_INIT_NO_LOAD_CONFIG.
 *
 * Returns 1 on success. Returns 0 on failure, leaving AES-CTR to the default provider: if the default properties of
 * OpenSSL require FIPS, or if memory is exhausted.
 */
int vt_keystream_init(void);

#endif
