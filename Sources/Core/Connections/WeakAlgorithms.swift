/// Algorithms that are offered only to servers whose profiles allow them.
package enum WeakAlgorithms {
    /// The algorithms that libssh2 supports but current practice forbids (RFC 8758, RFC 9142): SHA-1, MD5, RIPEMD-160,
    /// DSA, CBC, ciphers with 64-bit blocks, and RC4.
    ///
    /// The names are from RFC 4253, RFC 4345 and RFC 4419, or were chosen by vendors.
    package static let names = [
        "diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1", "diffie-hellman-group1-sha1",
        "ssh-rsa", "ssh-dss",
        "aes256-cbc", "rijndael-cbc@lysator.liu.se", "aes192-cbc", "aes128-cbc", "3des-cbc", "blowfish-cbc",
        "cast128-cbc", "arcfour128", "arcfour",
        "hmac-sha1", "hmac-sha1-etm@openssh.com", "hmac-sha1-96", "hmac-ripemd160", "hmac-ripemd160@openssh.com",
        "hmac-md5", "hmac-md5-96",
    ]
}
