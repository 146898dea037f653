/* The key stream provider must be loaded before other threads use OpenSSL, so this module does that before main. */
