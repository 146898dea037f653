import Core

/// What a server of `vt mcp` allows its client to do.
struct MCPPolicy: Sendable {
    /// The allowed profiles, with `local` for this machine; empty for all.
    let machines: [String]
    let isReadOnly: Bool
    /// The only allowed session.
    let session: SessionReference?

    func allows(_ tool: MCPTool) -> Bool {
        if isReadOnly, !tool.effect.contains(.readOnly) { return false }
        return session == nil || tool.parameters.contains { if case .session = $0.use { true } else { false } }
    }

    /// `nil` is this machine.
    func allows(machine: String?) -> Bool {
        machines.isEmpty || machines.contains(machine ?? ProfileName.local)
    }

    /// - Throws: `usage` for a session or a machine that is not allowed.
    func check(_ reference: SessionReference) throws(VTError) {
        if let session, session != reference {
            throw VTError(.usage, "this server allows only the session '\(session.text)'")
        }
        try check(machine: reference.profile)
    }

    func check(machine: String?) throws(VTError) {
        guard !allows(machine: machine) else { return }
        throw VTError(
            .usage,
            "'\(machine ?? ProfileName.local)' is not allowed",
            hint: "this server allows only \(machines.joined(separator: ", "))"
        )
    }
}
