import Core

extension RemoteSessions {
    /// Fetches the bytes that reproduce the screen in a terminal, so that it can be rendered locally.
    package func screen(of name: String, _ order: ScreenRequest) async throws(VTError) -> SessionScreen {
        var words: [ByteString] = ["sessions", "screen", "--json", "--frames"]
        if let offset = order.offset { words += ["--at", ByteString(String(offset))] }
        if let size = order.size { words += ["--size", ByteString("\(size.columns)x\(size.rows)")] }
        if order.scrollback > 0 { words += ["--scrollback", ByteString(String(order.scrollback))] }
        let answer = try await answer(words + ["--", ByteString(name)])
        guard let screen = try ScreenFrames.screen(in: answer, scrollback: order.scrollback, from: self.name) else {
            throw VTError(.protocolViolation, "the vt on '\(self.name)' exited in the middle of a response")
        }
        return screen
    }
}
