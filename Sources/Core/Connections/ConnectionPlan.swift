/// How to reach one far end, resolved from a profile or the command line; each case is a transport.
package enum ConnectionPlan: Sendable {
    case ssh(SSHPlan)
    /// Through the standard streams of a program on this machine (`--via`).
    case program(ProgramPlan)
    /// Through a link to sessions that another machine serves; nothing but its sessions can be reached.
    case link(LinkPlan)
    /// A VibeTunnel server, which has sessions, but runs no other commands.
    case vibeTunnel(VibeTunnelPlan)

    /// The far end's name in messages: the profile's name, or the text typed by the user.
    package var name: String {
        switch self {
        case .ssh(let plan): plan.name
        case .program(let plan): plan.name
        case .link(let plan): plan.name
        case .vibeTunnel(let plan): plan.name
        }
    }

    package var connectTimeout: Duration {
        switch self {
        case .ssh(let plan): plan.limits.connectTimeout
        case .program(let plan): plan.connectTimeout
        case .link(let plan): plan.connectTimeout
        case .vibeTunnel(let plan): plan.connectTimeout
        }
    }

    package var transport: Transport {
        switch self {
        case .ssh: .ssh
        case .program(let plan): .program(plan.command)
        case .link(let plan): .link(plan.address)
        case .vibeTunnel(let plan): .vibeTunnel(plan.address)
        }
    }

    /// Nil if the far end is not reached over SSH.
    package var ssh: SSHPlan? {
        if case .ssh(let plan) = self { plan } else { nil }
    }

    /// The same plan, changed by `change` if it uses SSH.
    package func mapSSH(_ change: (inout SSHPlan) -> Void) -> ConnectionPlan {
        guard case .ssh(var plan) = self else { return self }
        change(&plan)
        return .ssh(plan)
    }

    /// The same plan for a connection whose first command has this terminal.
    package func starting(with terminal: ExecRequest.Terminal?) -> ConnectionPlan {
        guard case .program(var plan) = self else { return self }
        plan.terminal = terminal
        return .program(plan)
    }

    /// How a far end is reached, without the details of the connection.
    package enum Transport: Hashable, Sendable {
        case ssh
        case program(ViaCommand)
        case link(HTTPAddress)
        case vibeTunnel(HTTPAddress)

        /// Follows "it is reached" in the error for something that the transport does not offer.
        package var phrase: String {
            switch self {
            case .ssh: "over SSH"
            case .program: "through a program (\(option)), not SSH"
            case .link: "through a link to its sessions (\(option)), not SSH"
            case .vibeTunnel: "as a VibeTunnel server (\(option)), not over SSH"
            }
        }

        /// The option of a profile that selects the transport.
        package var option: String {
            switch self {
            case .ssh: "--host"
            case .program: "--via"
            case .link: "--link-stdin"
            case .vibeTunnel: "--vibetunnel"
            }
        }
    }
}

/// How to start a program that runs commands on another machine, or in a container.
package struct ProgramPlan: Sendable {
    /// The profile's name.
    package var name: String
    package var command: ViaCommand
    /// The terminal of the first command, which the program must have from the start; nil if it has none.
    package var terminal: ExecRequest.Terminal?
    package var connectTimeout: Duration

    package init(name: String, command: ViaCommand, connectTimeout: Duration) {
        self.name = name
        self.command = command
        self.connectTimeout = connectTimeout
    }
}

/// How to reach the sessions that 'vt serve' serves on another machine.
package struct LinkPlan: Sendable {
    /// The profile's name.
    package var name: String
    /// The address of the page; its path ends with a slash.
    package var address: HTTPAddress
    /// The file with the certificates of the authorities to trust, in PEM; nil means those of the system.
    package var authorities: String?
    package var connectTimeout: Duration
    /// Returns the token of the link.
    package var token: @Sendable () async throws(VTError) -> Secret

    package init(
        name: String,
        address: HTTPAddress,
        authorities: String?,
        connectTimeout: Duration,
        token: @escaping @Sendable () async throws(VTError) -> Secret
    ) {
        self.name = name
        self.address = address
        self.authorities = authorities
        self.connectTimeout = connectTimeout
        self.token = token
    }
}
