#include "keystream.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <stdint.h>
#include <string.h>

#define PROVIDER "vt-keystream"

#define BLOCK ((size_t)16)
#define FIRST_CHUNK ((size_t)256)
#define LAST_CHUNK ((size_t)4096)

/* From this length on, encrypting directly is faster than storing the key stream first. */
#define DIRECT_MINIMUM ((size_t)512)
#define DIRECT_MAXIMUM ((size_t)1 << 30)

struct context {
    EVP_CIPHER_CTX *inner;
    /* `stream` contains unused key stream from `position` to `end`, a multiple of BLOCK, where `inner` continues. */
    size_t position, end, next_chunk;
    unsigned char iv[BLOCK], updated_iv[BLOCK];
    unsigned char stream[LAST_CHUNK];
};

/* The default provider's ciphers. */
static EVP_CIPHER *aes_128, *aes_192, *aes_256;

static int fail(int reason) {
    ERR_raise(ERR_LIB_PROV, reason);
    return 0;
}

static void discard(struct context *context) {
    OPENSSL_cleanse(context->stream, context->end);
    context->position = context->end = 0;
    context->next_chunk = FIRST_CHUNK;
}

static void release(void *object) {
    struct context *context = object;
    if (context != NULL) EVP_CIPHER_CTX_free(context->inner);
    OPENSSL_clear_free(context, sizeof(*context));
}

static struct context *create(const EVP_CIPHER *cipher) {
    struct context *context = OPENSSL_zalloc(sizeof(*context));
    if (context == NULL) return NULL;
    discard(context);
    context->inner = EVP_CIPHER_CTX_new();
    if (context->inner != NULL && EVP_EncryptInit_ex(context->inner, cipher, NULL, NULL, NULL)) return context;
    release(context);
    return NULL;
}

static void *duplicate(void *object) {
    const struct context *context = object;
    struct context *copy = OPENSSL_memdup(context, sizeof(*context));
    if (copy == NULL) return NULL;
    copy->inner = EVP_CIPHER_CTX_new();
    if (copy->inner != NULL && EVP_CIPHER_CTX_copy(copy->inner, context->inner)) return copy;
    release(copy);
    return NULL;
}

/* Stores the counter of the first block of which no key stream has been used. */
static int update_iv(struct context *context) {
    unsigned char *counter = context->updated_iv;
    if (!EVP_CIPHER_CTX_get_updated_iv(context->inner, counter, BLOCK)) return 0;
    size_t difference = (context->end - context->position) / BLOCK;
    for (size_t index = BLOCK; index-- > 0 && difference > 0;) {
        unsigned char low = (unsigned char)difference;
        difference = (difference >> 8) + (counter[index] < low);
        counter[index] = (unsigned char)(counter[index] - low);
    }
    return 1;
}

static int get_parameters(void *object, OSSL_PARAM parameters[]) {
    struct context *context = object;
    if (!EVP_CIPHER_CTX_get_params(context->inner, parameters) || !update_iv(context)) return 0;
    OSSL_PARAM *number = OSSL_PARAM_locate(parameters, OSSL_CIPHER_PARAM_NUM);
    OSSL_PARAM *iv = OSSL_PARAM_locate(parameters, OSSL_CIPHER_PARAM_IV);
    OSSL_PARAM *updated = OSSL_PARAM_locate(parameters, OSSL_CIPHER_PARAM_UPDATED_IV);
    if (number != NULL && !OSSL_PARAM_set_uint(number, (unsigned int)(context->position % BLOCK))) return 0;
    if (iv != NULL && !OSSL_PARAM_set_octet_ptr(iv, context->iv, BLOCK) &&
        !OSSL_PARAM_set_octet_string(iv, context->iv, BLOCK)) return 0;
    return updated == NULL || OSSL_PARAM_set_octet_ptr(updated, context->updated_iv, BLOCK) ||
           OSSL_PARAM_set_octet_string(updated, context->updated_iv, BLOCK);
}

static int set_parameters(void *object, const OSSL_PARAM parameters[]) {
    struct context *context = object;
    const OSSL_PARAM *number = OSSL_PARAM_locate_const(parameters, OSSL_CIPHER_PARAM_NUM);
    if (number != NULL) {
        unsigned int value;
        /* Another number could select key stream that has never been computed. */
        if (!OSSL_PARAM_get_uint(number, &value) || value != 0) return fail(PROV_R_FAILED_TO_GET_PARAMETER);
        context->position = (context->position + BLOCK - 1) / BLOCK * BLOCK;
    }
    return EVP_CIPHER_CTX_set_params(context->inner, parameters);
}

static const OSSL_PARAM *gettable(void *provider) {
    (void)provider;
    return EVP_CIPHER_gettable_params(aes_128);
}

static const OSSL_PARAM *context_gettable(void *object, void *provider) {
    (void)object, (void)provider;
    return EVP_CIPHER_gettable_ctx_params(aes_128);
}

static const OSSL_PARAM *context_settable(void *object, void *provider) {
    (void)object, (void)provider;
    return EVP_CIPHER_settable_ctx_params(aes_128);
}

/* Encryption and decryption are the same operation. */
static int initialize(void *object, const unsigned char *key, size_t key_length, const unsigned char *iv,
                      size_t iv_length, const OSSL_PARAM parameters[]) {
    struct context *context = object;
    if (key != NULL && key_length != (size_t)EVP_CIPHER_CTX_get_key_length(context->inner))
        return fail(PROV_R_INVALID_KEY_LENGTH);
    if (iv != NULL && iv_length != BLOCK) return fail(PROV_R_INVALID_IV_LENGTH);
    /* Without a new IV, the counter continues after the key stream that has been used. */
    if (iv == NULL && !update_iv(context)) return 0;
    if (!EVP_EncryptInit_ex(context->inner, NULL, NULL, key, iv != NULL ? iv : context->updated_iv)) return 0;
    if (iv != NULL) memcpy(context->iv, iv, BLOCK);
    discard(context);
    return parameters == NULL || set_parameters(context, parameters);
}

static int encrypt(struct context *context, unsigned char *output, const unsigned char *input, size_t count) {
    int length = 0;
    return EVP_EncryptUpdate(context->inner, output, &length, input, (int)count) && length == (int)count;
}

static int refill(struct context *context) {
    size_t count = context->next_chunk;
    context->position = context->end = 0;
    memset(context->stream, 0, count);
    if (!encrypt(context, context->stream, context->stream, count)) return 0;
    context->end = count;
    if (count < LAST_CHUNK) context->next_chunk = 2 * count;
    return 1;
}

/* `output` may equal `input`. */
static void combine(unsigned char *output, const unsigned char *input, const unsigned char *stream, size_t count) {
    for (; count >= BLOCK; output += BLOCK, input += BLOCK, stream += BLOCK, count -= BLOCK) {
        uint64_t words[2], key[2];
        memcpy(words, input, BLOCK);
        memcpy(key, stream, BLOCK);
        words[0] ^= key[0];
        words[1] ^= key[1];
        memcpy(output, words, BLOCK);
    }
    for (size_t index = 0; index < count; index++) output[index] = input[index] ^ stream[index];
}

static int update(void *object, unsigned char *output, size_t *length, size_t capacity, const unsigned char *input,
                  size_t count) {
    struct context *context = object;
    if (capacity < count) return fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    *length = count;
    while (count > 0) {
        int is_empty = context->position == context->end;
        size_t part;
        if (is_empty && count >= DIRECT_MINIMUM) {
            part = count < DIRECT_MAXIMUM ? count / BLOCK * BLOCK : DIRECT_MAXIMUM;
            if (!encrypt(context, output, input, part)) return 0;
        } else {
            if (is_empty && !refill(context)) return 0;
            part = context->end - context->position;
            if (part > count) part = count;
            combine(output, input, context->stream + context->position, part);
            context->position += part;
        }
        output += part, input += part, count -= part;
    }
    return 1;
}

/* Fails if no key has been set. */
static int finish(void *object, unsigned char *output, size_t *length, size_t capacity) {
    int count = 0;
    (void)capacity;
    *length = 0;
    return EVP_EncryptFinal_ex(((const struct context *)object)->inner, output, &count);
}

#define FUNCTION(identifier, function) {OSSL_FUNC_##identifier, (void (*)(void))(function)}

#define CIPHER(name)                                                                                                \
    static void *create_##name(void *provider) { return (void)provider, create(name); }                             \
    static int get_##name(OSSL_PARAM parameters[]) { return EVP_CIPHER_get_params(name, parameters); }              \
    static const OSSL_DISPATCH name##_functions[] = {                                                               \
        FUNCTION(CIPHER_NEWCTX, create_##name), FUNCTION(CIPHER_FREECTX, release),                                  \
        FUNCTION(CIPHER_DUPCTX, duplicate), FUNCTION(CIPHER_ENCRYPT_INIT, initialize),                              \
        FUNCTION(CIPHER_DECRYPT_INIT, initialize), FUNCTION(CIPHER_UPDATE, update),                                 \
        FUNCTION(CIPHER_FINAL, finish), FUNCTION(CIPHER_CIPHER, update),                                            \
        FUNCTION(CIPHER_GET_PARAMS, get_##name), FUNCTION(CIPHER_GETTABLE_PARAMS, gettable),                        \
        FUNCTION(CIPHER_GET_CTX_PARAMS, get_parameters), FUNCTION(CIPHER_GETTABLE_CTX_PARAMS, context_gettable),    \
        FUNCTION(CIPHER_SET_CTX_PARAMS, set_parameters), FUNCTION(CIPHER_SETTABLE_CTX_PARAMS, context_settable),    \
        {0, NULL}}

CIPHER(aes_128);
CIPHER(aes_192);
CIPHER(aes_256);

static const OSSL_ALGORITHM *query(void *provider, int operation, int *is_volatile) {
    static const OSSL_ALGORITHM algorithms[] = {
        {"AES-128-CTR", "provider=" PROVIDER, aes_128_functions, NULL},
        {"AES-192-CTR", "provider=" PROVIDER, aes_192_functions, NULL},
        {"AES-256-CTR", "provider=" PROVIDER, aes_256_functions, NULL},
        {NULL, NULL, NULL, NULL},
    };
    (void)provider;
    *is_volatile = 0;
    return operation == OSSL_OP_CIPHER ? algorithms : NULL;
}

static void tear_down(void *provider) {
    (void)provider;
    EVP_CIPHER_free(aes_128);
    EVP_CIPHER_free(aes_192);
    EVP_CIPHER_free(aes_256);
    aes_128 = aes_192 = aes_256 = NULL;
}

static int start(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **provider) {
    static const OSSL_DISPATCH functions[] = {
        FUNCTION(PROVIDER_QUERY_OPERATION, query), FUNCTION(PROVIDER_TEARDOWN, tear_down), {0, NULL}};
    (void)in;
    *out = functions;
    *provider = (void *)handle;
    return 1;
}

static int is_active;

static void activate(void) {
    OSSL_PROVIDER *provider = NULL;
    ERR_set_mark();
    aes_128 = EVP_CIPHER_fetch(NULL, "AES-128-CTR", "provider=default");
    aes_192 = EVP_CIPHER_fetch(NULL, "AES-192-CTR", "provider=default");
    aes_256 = EVP_CIPHER_fetch(NULL, "AES-256-CTR", "provider=default");
    /* Loading a provider disables the implicit loading of the default provider. */
    if (aes_128 != NULL && aes_192 != NULL && aes_256 != NULL && !EVP_default_properties_is_fips_enabled(NULL) &&
        OSSL_PROVIDER_load(NULL, "default") != NULL && OSSL_PROVIDER_add_builtin(NULL, PROVIDER, start))
        provider = OSSL_PROVIDER_load(NULL, PROVIDER);
    /* The random number generator sets an IV for each request, for which buffering would only take time. */
    if (provider != NULL) (void)RAND_set_DRBG_type(NULL, NULL, "provider=default", NULL, NULL);
    is_active = provider != NULL && EVP_set_default_properties(NULL, "?provider=" PROVIDER);
    if (provider == NULL) {
        tear_down(NULL);
    } else if (!is_active) {
        OSSL_PROVIDER_unload(provider);
    }
    ERR_pop_to_mark();
}

int vt_keystream_init(void) {
    static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
    return CRYPTO_THREAD_run_once(&once, activate) && is_active;
}
