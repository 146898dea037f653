import Core

extension SSHConfigConversion {
    /// Applies a forwarding option, which `vt ssh` honors; a profile cannot contain it.
    func applyForwarding(_ line: SSHConfigLine, to settings: inout SSHHostSettings) {
        // Like other options that vt does not support, a forward that it does not understand is ignored.
        _ = try? settings.forwarding.apply(line.keyword, line.arguments)
    }
}
