import Core
import NIOCore
import NIOHTTP1
import NIOSSL

extension VTError {
    /// The error for a failed request; `name` is what messages call the server.
    static func http(_ error: any Error, _ name: String) -> VTError {
        switch error {
        case let error as VTError: error
        case HTTPParserError.invalidEOFState: .endedEarly(name)
        case is HTTPParserError, is NIOHTTPDecoderError:
            VTError(.protocolViolation, "\(name) did not answer with valid HTTP")
        case is NIOHTTPClientUpgradeError: VTError(.protocolViolation, "\(name) did not open a WebSocket")
        case let error as NIOSSLError where error.isVerificationFailure: untrusted(name, error)
        case let error as NIOSSLExtraError: untrusted(name, error)
        // The end of an answer without a length could have been forged.
        case NIOSSLError.uncleanShutdown: .endedEarly(name)
        case is NIOSSLError: VTError(.protocolViolation, "cannot establish TLS with \(name)", causes: ["\(error)"])
        case let error as IOError:
            .system(error.errnoCode, "the connection to \(name) was lost", fallback: .hostUnreachable)
        default: VTError(.hostUnreachable, "the connection to \(name) was lost", causes: ["\(error)"])
        }
    }

    static func endedEarly(_ name: String) -> VTError {
        VTError(.hostUnreachable, "\(name) closed the connection before the end of its answer")
    }

    private static func untrusted(_ name: String, _ error: any Error) -> VTError {
        VTError(.tlsUntrusted, "cannot verify that \(name) is the right server", causes: ["\(error)"])
    }
}

extension NIOSSLError {
    /// Whether the certificate of the server was rejected.
    fileprivate var isVerificationFailure: Bool {
        switch self {
        case .handshakeFailed(.sslError(let stack)):
            // BoringSSLInternalError contains the code of the error, but exposes it only in this text.
            stack.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotMatchULabel: true
        default: false
        }
    }
}
