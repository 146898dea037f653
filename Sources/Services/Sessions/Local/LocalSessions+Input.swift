import Core
import Runtime

extension LocalSessions {
    /// Input up to this size is sent as one frame, so that all of it is rejected if a line is too long for the
    /// terminal.
    private static let wholeInputBytes = 512 << 10
    private static let pieceBytes = 64 << 10

    package func send(
        _ request: SendRequest,
        to name: String
    ) async throws(VTError) -> (offset: UInt64?, isHidden: Bool) {
        let session = try host.session(name)
        if !request.waits, let error = session.suspensionError() { throw error }
        let start = ContinuousClock.now
        try await snapshotAutomatically(before: request.input, in: session, timeout: request.timeout)
        guard let timeout = request.timeout else { return try await send(request, to: session) }
        let rest = max(.zero, timeout - (ContinuousClock.now - start))
        let late = VTError.unacceptedInput(of: session.name, within: timeout)
        return try await withTimeout(rest, on: clock, throwing: late) { () async throws(VTError) in
            try await send(request, to: session)
        }
    }

    /// If the task is canceled, input that has not been written to the terminal yet is discarded.
    private func send(
        _ request: SendRequest,
        to session: Session
    ) async throws(VTError) -> (offset: UInt64?, isHidden: Bool) {
        try await withHolder(of: session) { connection throws(VTError) in
            if request.isForced { try await connection.send(.force) }
            if let id = request.id { return try await connection.input(request.input, as: id) }
            var sent: (offset: UInt64?, isHidden: Bool)?
            for (index, piece) in Self.pieces(of: request.input).enumerated() {
                let answer = try await connection.input(Array(piece), sequence: UInt64(index + 1), isChecked: true)
                sent = sent ?? answer
            }
            return sent ?? (session.outputBytes, false)
        }
    }

    /// Splits long input after newlines if possible, because each line is checked as a whole.
    static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        guard bytes.count > wholeInputBytes else { return [bytes[...]] }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while rest.count > pieceBytes {
            let piece = rest.prefix(pieceBytes)
            let end = piece.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 }
            pieces.append(rest[..<(end ?? piece.endIndex)])
            rest = rest[(end ?? piece.endIndex)...]
        }
        return pieces + [rest]
    }

    package func resize(_ name: String, to size: TerminalSize) async throws(VTError) {
        try await withHolder(of: try host.session(name)) { connection throws(VTError) in
            try await connection.resize(to: size)
        }
    }

    func mark(_ name: String, _ label: MarkerLabel) async throws(VTError) -> UInt64 {
        let session = try host.session(name)
        do throws(VTError) {
            return try await withHolder(of: session) { connection throws(VTError) in try await connection.mark(label) }
        } catch {
            // It may have no holder.
            guard session.state == .paused, error.code == .busy else { throw error }
            return try await host.mark(session.id, label)
        }
    }

    package func rename(_ name: String, to newName: SessionName) async throws(VTError) {
        let session = try host.session(name)
        guard session.state.isLive else { return try await host.rename(session.id, to: newName) }
        do throws(VTError) {
            try await withHolder(of: session) { connection throws(VTError) in try await connection.rename(to: newName) }
        } catch {
            // The session has ended in the meantime, so rename it without its holder.
            guard error.code.isNegative else { throw error }
            try await host.rename(session.id, to: newName)
        }
    }
}

extension VTError {
    /// The error for input that the session with this name has not read in time.
    static func unacceptedInput(of name: String, within timeout: Duration) -> VTError {
        VTError(
            .timedOut,
            "'\(name)' did not accept the input within \(timeout.shortText)",
            hint: "to see what the program shows, use 'vt sessions screen \(name)'"
        )
    }
}
