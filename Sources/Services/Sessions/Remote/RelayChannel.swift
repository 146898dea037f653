import Core
import Runtime
import Synchronization

/// A channel over the standard streams of `vt relay` on a server, with one conversation: a call and its result.
final class RelayChannel: SessionChannel {
    private struct State {
        var decoder = SessionFrameDecoder()
        /// Whether the call has ended, so that the relay is ready for the next one.
        var isAtRest = false
        /// Whether the relay has connected the channel to a holder, after which the bytes are not decoded.
        var isConnected = false
    }

    /// The program's standard input.
    let outgoing = BytePipe()
    /// The program's standard output.
    let incoming = BytePipe()
    /// The server's name in messages.
    let name: String
    let diagnostics: any Diagnostics
    private let state = Mutex(State())

    init(to name: String, diagnostics: any Diagnostics) {
        self.name = name
        self.diagnostics = diagnostics
    }

    /// Ends both directions, once the program has ended.
    func end(_ failure: VTError?) {
        incoming.end(failure)
        outgoing.end(failure)
    }

    // MARK: - Calls

    /// Sends `hello` and the beginning of a call, which saves a round trip; returns the rest, to be sent with `send` after
    /// the relay's `hello`.
    func begin(_ call: SessionCall, version: String) async throws(VTError) -> ArraySlice<SessionFrame> {
        let hello = SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: version)
        let frames = call.frames
        try await outgoing.write(hello.encoded + frames.prefix(2).flatMap(\.encoded))
        return frames.dropFirst(2)
    }

    func send(_ frames: some Sequence<SessionFrame>) async throws(VTError) {
        for frame in frames { try await outgoing.write(frame.encoded) }
    }

    /// Receives the relay's `hello`; returns false if another relay must be started, because this one was killed before the
    /// call, or its executable has been replaced.
    func greet() async throws(VTError) -> Bool {
        switch try await next() {
        case .hello(SessionFrame.protocolNumber, _, _): return true
        case .outdated: return false
        case .hello(let number, _, let version):
            throw VTError(
                .protocolViolation,
                "vt \(version) on '\(name)' supports protocol \(number), but this vt supports protocol "
                    + "\(SessionFrame.protocolNumber)",
                hint: RemoteVTCommand.installHint(for: name)
            )
        default: throw VTError(.protocolViolation, "vt on '\(name)' did not send a greeting")
        }
    }

    /// Returns the next frame of the result, or nil after the last one; prints notes.
    ///
    /// - Throws: The error of the call.
    func nextResult() async throws(VTError) -> SessionFrame? {
        while true {
            switch try await next() {
            case .done:
                state.withLock { $0.isAtRest = true }
                return nil
            case .failure(var error):
                state.withLock { $0.isAtRest = true }
                error.message = "\(name): \(error.message)"
                if let hint = error.hint {
                    error.hint = Self.hint(hint, on: name)
                } else if error.code == .protocolViolation {
                    // The relay does not know the call, or one of its arguments.
                    error.hint = "to install this version, use 'vt install \(name) --force'"
                }
                throw error
            case .note(let text, let isDetail):
                if isDetail { diagnostics.detail("\(name): \(text)") } else { diagnostics.note("\(name): \(text)") }
            case let frame: return frame
            }
        }
    }

    var isAtRest: Bool { state.withLock { $0.isAtRest } }

    private func next() async throws(VTError) -> SessionFrame {
        while true {
            if let frame = try decoded() { return frame }
            guard let bytes = try await incoming.read() else {
                throw VTError(.protocolViolation, "vt on '\(name)' exited in the middle of a response")
            }
            state.withLock { $0.decoder.append(bytes) }
        }
    }

    /// A hint of the remote vt; the session in `vt sessions VERB NAME` is named as it can be typed here.
    static func hint(_ text: String, on name: String) -> String {
        guard let start = text.firstRange(of: "vt sessions ") else { return "on '\(name)': \(text)" }
        let verb = text[start.upperBound...].prefix { ("a"..."z").contains($0) }
        let (before, after) = (text[..<verb.endIndex], text[verb.endIndex...])
        if verb == "list" { return "\(before) \(name)\(after)" }
        guard after.hasPrefix(" "), !after.hasPrefix(" -") else { return "on '\(name)': \(text)" }
        return "\(before) \(name):\(after.dropFirst())"
    }

    private func decoded() throws(VTError) -> SessionFrame? {
        do throws(VTError) {
            return try state.withLock { state throws(VTError) in try state.decoder.next() }
        } catch {
            // The program may also be another one with the same name.
            throw VTError(
                .protocolViolation,
                "unexpected response from vt on '\(name)'",
                hint: "to install this version there, use 'vt install \(name)'",
                causes: [error.message]
            )
        }
    }

    // MARK: - Connection to a holder

    func read() async throws(VTError) -> [UInt8]? {
        if !state.withLock({ $0.isConnected }) {
            guard try await greet(), try await nextResult() == nil else {
                throw VTError(.protocolViolation, "vt on '\(name)' did not connect to the session")
            }
            let rest = state.withLock { state in
                state.isConnected = true
                return state.decoder.takeRest()
            }
            if !rest.isEmpty { return rest }
        }
        return try await incoming.read()
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await outgoing.write(bytes)
    }

    func close() async {
        outgoing.end()
    }
}
