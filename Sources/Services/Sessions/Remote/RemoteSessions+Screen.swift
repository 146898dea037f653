import Core

extension RemoteSessions {
    /// Fetches the bytes that reproduce the screen in a terminal, so that it can be rendered locally.
    package func screen(of name: String, _ request: ScreenRequest) async throws(VTError) -> SessionScreen {
        var words: [ByteString] = ["sessions", "screen", "--json", "--frames"]
        if let offset = request.offset { words += ["--at", ByteString(String(offset))] }
        if let size = request.size { words += ["--size", ByteString("\(size.columns)x\(size.rows)")] }
        if request.scrollback > 0 { words += ["--scrollback", ByteString(String(request.scrollback))] }
        let answer = try await answer(words + ["--", ByteString(name)])
        guard let screen = try ScreenFrames.screen(in: answer, scrollback: request.scrollback, from: self.name) else {
            throw VTError(.protocolViolation, "vt on '\(self.name)' exited in the middle of a response")
        }
        return screen
    }
}
