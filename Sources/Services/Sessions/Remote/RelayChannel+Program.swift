import Core
import Runtime

/// Runs `vt relay` on a server.
extension RelayChannel {
    /// The maximum number of characters of another program's output in a message.
    private static let reasonLimit = 200
    /// The maximum amount of error output that is reported.
    private static let errorLimitBytes = 1 << 20

    /// Runs the program, and ends the channel when it exits, with an error if it fails.
    ///
    /// With `isKept`, the program is to be kept for the next call; with `isReplaceable`, the caller starts another relay if
    /// a kept one has ended.
    func run(on host: any CommandHost, isKept: Bool, isReplaceable: Bool) async {
        let errors = BoundedSink(limitBytes: Self.errorLimitBytes)
        let output = MarkedSink(incoming, from: name)
        let streams = ProgramStreams(input: outgoing, output: output, errorOutput: errors)
        do throws(VTError) {
            var request = RemoteVTCommand.relay
            request.isKept = isKept
            let status = try await host.run(request, streams: streams)
            let lines = errors.bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
            for line in lines { diagnostics.detail("\(name): \(line)") }
            if isReplaceable, !output.isMarked, case .signalled = status {
                // A kept relay writes the marker before it performs a call; this one was killed between two calls.
                try await incoming.write(SessionFrame.outdated.encoded)
            }
            if status.isSuccess, output.isMarked { return end(nil) }
            end(failure(status, output, lines))
        } catch {
            end(error)
        }
    }

    /// The error for a relay that has failed.
    private func failure(_ status: ExitStatus, _ output: MarkedSink, _ errors: [String]) -> VTError {
        let causes = Array(errors.prefix(1))
        if !output.isMarked, status == .exited(UInt32(RemoteVTCommand.notInstalledStatus)) {
            return VTError(.notFound, "vt is not installed on '\(name)'", hint: RemoteVTCommand.installHint(for: name))
        }
        switch status {
        // Shells exit with 126 and 127 when a program cannot be run (POSIX.1-2024, XCU 2.8.2).
        case .exited(126), .exited(127):
            return VTError(
                .system,
                "cannot run vt on '\(name)'",
                hint: "to install it again, use 'vt install \(name) --force'",
                causes: causes
            )
        // An earlier version requires the name of a session.
        case .exited(UInt32(VTError.Code.usage.status)):
            return VTError(
                .protocolViolation,
                "vt on '\(name)' is too old for this vt",
                hint: "to install this version, use 'vt install \(name) --force'",
                causes: causes
            )
        // The server may be about to shut down: as if the connection had been lost, the next attempt can succeed.
        case .signalled(let signal, _) where ["TERM", "HUP"].contains(signal.text):
            return VTError(.hostUnreachable, "vt on '\(name)' was \(status.phrase)", causes: causes)
        case .signalled:
            return VTError(.system, "vt on '\(name)' was \(status.phrase)", causes: causes, isTransient: true)
        case .unknown:
            return VTError(
                .hostUnreachable,
                "'\(name)' closed the channel of vt without an exit status",
                causes: causes
            )
        case .exited where !output.isMarked:
            // The account runs another program, which can print its reason to standard output, as nologin(8) does.
            let lines = errors.isEmpty ? output.unmarkedLines : errors
            let reason = lines.last.map { String($0.prefix(Self.reasonLimit)) } ?? status.phrase
            return VTError(
                .system,
                "cannot run vt on '\(name)': \(reason)",
                hint: "sessions require an account that can run commands",
                causes: lines
            )
        case .exited:
            return VTError(.protocolViolation, "vt on '\(name)' failed (\(status.phrase))", causes: causes)
        }
    }
}
