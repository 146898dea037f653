import Core
import NIOCore
import NIOHTTP1

extension VTError {
    /// The error for a failed request; `name` is what messages call the server.
    static func http(_ error: any Error, _ name: String) -> VTError {
        switch error {
        case let error as VTError: error
        case HTTPParserError.invalidEOFState: .endedEarly(name)
        case is HTTPParserError, is NIOHTTPDecoderError:
            VTError(.protocolViolation, "\(name) did not answer with valid HTTP")
        case is NIOHTTPClientUpgradeError: VTError(.protocolViolation, "\(name) did not open a WebSocket")
        case let error as TLSError: tls(error, name)
        case let error as IOError:
            .system(error.errnoCode, "the connection to \(name) was lost", fallback: .hostUnreachable)
        default: VTError(.hostUnreachable, "the connection to \(name) was lost", causes: ["\(error)"])
        }
    }

    static func endedEarly(_ name: String) -> VTError {
        VTError(.hostUnreachable, "\(name) closed the connection before the end of its answer")
    }

    private static func tls(_ error: TLSError, _ name: String) -> VTError {
        switch error.kind {
        case .failed: VTError(.protocolViolation, "cannot establish TLS with \(name)", causes: ["\(error)"])
        // The end of an answer without a length could have been forged.
        case .truncated: .endedEarly(name)
        case .untrusted:
            VTError(.tlsUntrusted, "cannot verify that \(name) is the right server", causes: ["\(error)"])
        }
    }
}
