import Core

extension SSHConfigConversion {
    /// Applies a forwarding option, which `vt ssh` honors; a profile cannot contain it.
    func applyForwarding(_ line: SSHConfigLine, to settings: inout SSHHostSettings) {
        // A forward that vt cannot parse is ignored, like options that vt does not support.
        _ = try? settings.forwarding.apply(line.keyword, line.arguments)
    }
}
