import CLibCrypto
import CLibSSH2
import Core
import Glibc

/// Global functions of libssh2: initialization, version, and capabilities.
package struct SSHLibrary: Sendable {
    /// The version loaded at run time, such as `1.10.0`, which can differ from the version used to compile vt.
    package let version: String

    /// The version number as libssh2 compares it, `0x010a00` for 1.10.0.
    private let number: CInt

    /// Initializes the library; must be called before any thread uses it.
    ///
    /// Throws `internal` on failure. The corresponding C function is `libssh2_init`.
    package init() throws(VTError) {
        // The configuration could name modules, which a static executable cannot load (config(5ssl)).
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
        let result = libssh2_init(0)
        guard result == 0 else { throw VTError(.internal, "cannot initialize libssh2: error \(result)") }
        self.init(probing: ())
    }

    private init(probing: Void) {
        version = unsafe libssh2_version(0).map { unsafe String(cString: $0) } ?? "unknown"
        let parts = version.split(separator: ".").map { CInt($0.prefix { $0.isNumber }) ?? 0 }
        number = parts.prefix(3).reduce(0) { $0 << 8 | $1 }
    }

    /// The algorithms of each kind.
    ///
    /// - Throws: `system` when out of memory.
    package func algorithms() throws(VTError) -> [AlgorithmKind: AlgorithmList] {
        let session = try SessionHandle(wire: Wire())
        var lists: [AlgorithmKind: AlgorithmList] = [:]
        for kind in AlgorithmKind.negotiated {
            lists[kind] = AlgorithmPreference.list(kind, supported: session.supportedAlgorithms(kind))
        }
        let userKeys = AlgorithmPreference.strong(.userKey)
        lists[.userKey] = AlgorithmList(standard: userKeys, supported: userKeys)
        return lists
    }

    /// Whether RSA host keys are verified with SHA-2 (RFC 8332); versions before 1.11 support only SHA-1.
    package var verifiesRSAWithSHA2: Bool {
        number >= 0x010b00
    }
}
