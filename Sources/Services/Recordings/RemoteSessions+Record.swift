import Core
import Recording

extension RemoteSessions {
    /// Has the remote vt make the recording, so that it is identical to a recording made on the server.
    ///
    /// After a lost connection, the remote vt sends the recording again, and the part that has already been written is
    /// skipped.
    package func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError) {
        let words = Self.recordWords(name, request)
        let repeated = RepeatedSink(sink, from: self.name)
        try await reconnecting(progress: { repeated.passedCount }) { host async throws(VTError) in
            repeated.restart()
            let lines = LineSink(repeated, isBinary: request.format == .raw)
            let status = try await self.run(words, on: host, to: lines, isPrompt: !request.follows)
            guard status.isSuccess else {
                throw VTError(.protocolViolation, "vt on '\(self.name)' exited in the middle of a recording")
            }
            try await lines.finish()
        }
    }

    private static func recordWords(_ name: String, _ request: RecordRequest) -> [ByteString] {
        // Omit `--`: the words after it would be a command, and session names never start with a dash.
        var words: [ByteString] = ["record", ByteString(name), "--json", "--until-eof", "--output", "-"]
        func add(_ option: String, _ value: String?) {
            guard let value else { return }
            words += [ByteString("--\(option)=\(value)")]
        }
        add("format", request.format.rawValue)
        add("from", request.start?.text)
        add("to", request.end?.text)
        if request.follows { words.append("--follow") }
        if request.includesInput { words.append("--input") }
        add("title", request.title)
        add("idle-limit", request.idleLimit?.shortText)
        add("theme", request.theme)
        add("max-size", request.limitBytes.map { String($0) })
        return words
    }
}
