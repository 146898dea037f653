import Core
import Runtime

/// Runs the vt installed on a server, using its command line as the interface.
///
/// The caller must include `--json` in the arguments: only then does the remote vt report errors in a parseable form.
package struct RemoteVT: Sendable {
    /// The output of a successful run.
    package struct Answer: Hashable, Sendable {
        /// Nonzero if the command passes on a program's exit status, or if its answer is negative.
        package var status: ExitStatus
        package var output: [UInt8]

        package init(status: ExitStatus, output: [UInt8]) {
            self.status = status
            self.output = output
        }
    }

    private let connector: any Connector
    private let failures: any FailureReader
    private let clock: any Clock<Duration>
    private let observer: any ConnectionObserver
    private let diagnostics: any Diagnostics

    /// The maximum size of a document.
    private static let outputLimitBytes = 64 << 20
    private static let errorLimitBytes = 1 << 20

    package init(
        connector: any Connector,
        failures: any FailureReader,
        clock: any Clock<Duration>,
        diagnostics: any Diagnostics
    ) {
        self.connector = connector
        self.failures = failures
        self.clock = clock
        self.observer = ConnectionDetails(diagnostics)
        self.diagnostics = diagnostics
    }

    /// Connects; the caller must close the host.
    package func connect(_ plan: ConnectionPlan) async throws(VTError) -> any RemoteHost {
        try await connector.connect(plan, observer: observer)
    }

    /// Closes shared resources; no connection is possible afterward.
    package func close() async {
        await connector.close()
    }

    /// How long a server's vt may take to answer a request that involves no waiting.
    static let timeout = Duration.seconds(30)

    /// The error for a server's vt that does not answer.
    static func silence(of name: String, after limit: Duration) -> VTError {
        VTError(
            .protocolViolation,
            "vt on '\(name)' did not answer within \(limit.shortText)",
            hint: "to see whether it is running there, use 'vt exec \(name) -- ps -C vt'"
        )
    }

    /// Connects, runs `vt WORDS…` and returns its output; `timeout` covers all these steps, and nil means a default.
    ///
    /// - Throws: `timed-out` after `timeout`, but `protocol` after the default; connection errors; errors from
    ///   `answer(to:on:named:input:)`.
    package func answer(
        to words: [ByteString],
        from plan: ConnectionPlan,
        timeout: Duration? = nil
    ) async throws(VTError) -> Answer {
        let usual = plan.connectTimeout + Self.timeout
        let late =
            timeout.map { VTError(.timedOut, "'\(plan.name)' did not answer within \($0.shortText)") }
            ?? Self.silence(of: plan.name, after: usual)
        return try await withTimeout(timeout ?? usual, on: clock, throwing: late) { () async throws(VTError) in
            try await connectedAnswer(to: words, from: plan)
        }
    }

    /// Runs `vt WORDS…` on a host and returns its output; `name` is the server's name in messages.
    ///
    /// - Throws: Errors from the remote vt; `not-found` when it is not installed; `system` when it cannot be run;
    ///   `protocol` when its output is too long; errors from the connection.
    package func answer(
        to words: [ByteString],
        on host: any CommandHost,
        named name: String,
        input: any ByteSource = EmptySource()
    ) async throws(VTError) -> Answer {
        let output = BoundedSink(limitBytes: Self.outputLimitBytes)
        let errors = BoundedSink(limitBytes: Self.errorLimitBytes)
        let streams = ProgramStreams(input: input, output: MarkedSink(output, from: name), errorOutput: errors)
        let status = try await host.run(RemoteVTCommand.request(words), streams: streams)
        try check(status, errors: errors.bytes, isSilent: output.bytes.isEmpty, of: name)
        guard !output.isCut else { throw VTError(.protocolViolation, "the response from '\(name)' is too long") }
        return Answer(status: status, output: output.bytes)
    }

    /// Runs `vt WORDS…` on a host with the caller's own streams; returns how it ended.
    ///
    /// - Throws: Errors from the remote vt; `not-found` when it is not installed; errors from the streams and the
    ///   connection.
    package func run(
        _ words: [ByteString],
        on host: any CommandHost,
        named name: String,
        input: any ByteSource,
        output: any ByteSink
    ) async throws(VTError) -> ExitStatus {
        let errors = BoundedSink(limitBytes: Self.errorLimitBytes)
        let streams = ProgramStreams(input: input, output: MarkedSink(output, from: name), errorOutput: errors)
        let status = try await host.run(RemoteVTCommand.request(words), streams: streams)
        try check(status, errors: errors.bytes, isSilent: false, of: name)
        return status
    }

    // MARK: -

    private func connectedAnswer(
        to words: [ByteString],
        from plan: ConnectionPlan
    ) async throws(VTError) -> Answer {
        let host = try await connect(plan)
        do throws(VTError) {
            let answer = try await answer(to: words, on: host, named: plan.name)
            await host.close()
            return answer
        } catch {
            await host.close()
            throw error
        }
    }

    /// Throws the error reported by the remote vt, and passes on its notes.
    private func check(_ status: ExitStatus, errors: [UInt8], isSilent: Bool, of name: String) throws(VTError) {
        var failure: ReportedFailure?
        var lastLine: String?
        for line in errors.split(separator: UInt8(ascii: "\n")) {
            if let told = failures.failure(in: Array(line)) {
                failure = told
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            lastLine = text
            if text.hasPrefix("vt: ") {
                diagnostics.note("\(name): \(text.dropFirst("vt: ".count))")
            } else {
                diagnostics.detail("\(name): \(text)")
            }
        }
        if let failure, !status.isSuccess {
            if failure.exit == RemoteVTCommand.notInstalledStatus { throw Self.notInstalled(on: name) }
            var error = failure.error
            error.message = "\(name): \(error.message)"
            error.hint = error.hint.map { Self.hint($0, on: name) }
            throw error
        }
        // Shells exit with 126 and 127 when a program cannot be run (POSIX.1-2024, XCU 2.8.2).
        if isSilent, status == .exited(126) || status == .exited(127) {
            throw VTError(
                .system,
                "cannot run vt on '\(name)'",
                hint: "to install it again, use 'vt install \(name) --force'",
                causes: lastLine.map { [$0] } ?? []
            )
        }
    }

    /// A hint of the remote vt; the session in `vt sessions VERB NAME` is named as it can be typed here.
    private static func hint(_ text: String, on name: String) -> String {
        guard let start = text.firstRange(of: "vt sessions ") else { return "on '\(name)': \(text)" }
        let verb = text[start.upperBound...].prefix { ("a"..."z").contains($0) }
        let (before, after) = (text[..<verb.endIndex], text[verb.endIndex...])
        if verb == "list" { return "\(before) \(name)\(after)" }
        guard after.hasPrefix(" "), !after.hasPrefix(" -") else { return "on '\(name)': \(text)" }
        return "\(before) \(name):\(after.dropFirst())"
    }

    private static func notInstalled(on name: String) -> VTError {
        VTError(.notFound, "vt is not installed on '\(name)'", hint: "to install it, use 'vt install \(name)'")
    }
}
