#include "setup.h"

#include <keystream.h>
#include <openssl/crypto.h>

__attribute__((constructor)) static void set_up(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    (void)vt_keystream_init();
}
