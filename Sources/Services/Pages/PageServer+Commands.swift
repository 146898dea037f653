import Core

/// Performing the requests of commands on this machine, such as `vt share`.
extension PageServer {
    /// Answers the requests on a channel: with a `result` for each link, and then `done` or `failure`.
    func answerCommands(over channel: any SessionChannel) async throws(VTError) {
        var decoder = SessionFrameDecoder()
        while let bytes = try await channel.read() {
            decoder.append(bytes)
            while let frame = try decoder.next() {
                guard case .call(let json) = frame else { return }
                do throws(VTError) {
                    for link in try await perform(try ShareCall(json)) {
                        try await channel.write(SessionFrame.result(link.json).encoded)
                    }
                    try await channel.write(SessionFrame.done.encoded)
                } catch {
                    try await channel.write(SessionFrame.failure(error).encoded)
                }
            }
        }
    }

    private func perform(_ call: ShareCall) async throws(VTError) -> [PageLink] {
        switch call.verb {
        case .list:
            // A session may have been renamed.
            try await catalog.refresh(isForced: true)
            return links.all(named: catalog.reference)
        case .revoke:
            try links.revoke(call.link)
            return []
        case .share:
            var link = PageLink()
            (link.role, link.isOnce, link.isReusable) = (call.role, call.isOnce, call.isReusable)
            link.expiresAt = Timestamp(seconds: Timestamp.now().seconds + call.lifetimeMilliseconds / 1000)
            guard link.role != .owner else { return [makeLink(link, to: nil)] }
            guard link.role == .read || !link.isReusable else {
                throw VTError(.usage, "a link that any number of pages can open is for watching")
            }
            try await catalog.refresh(isForced: true)
            let entry = try catalog.entry(call.session, for: nil)
            if case .recording = entry.subject, link.role != .read {
                throw VTError(.usage, "'\(call.session)' is a recording, which takes no input")
            }
            link.session = entry.reference
            return [makeLink(link, to: entry.subject)]
        }
    }
}
