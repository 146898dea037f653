/// The flags of ssh(1), and what vt does with them.
enum SSHFlag: Character, CaseIterable {
    case user = "l"
    case port = "p"
    case identity = "i"
    case jump = "J"
    case option = "o"
    case configurationFile = "F"
    case ipv4 = "4"
    case ipv6 = "6"
    case noInput = "n"
    case subsystem = "s"
    case terminal = "t"
    case noTerminal = "T"
    case quiet = "q"
    case verbose = "v"
    case showConfiguration = "G"
    case showVersion = "V"

    case protocol2 = "2"
    case noAgentForwarding = "a"
    case compression = "C"
    case escapeCharacter = "e"
    case gatewayPorts = "g"
    case gssapi = "K"
    case noGSSAPIDelegation = "k"
    case controlMaster = "M"
    case controlPath = "S"
    case noX11Forwarding = "x"
    case systemLog = "y"

    case protocol1 = "1"
    case agentForwarding = "A"
    case bindInterface = "B"
    case bindAddress = "b"
    case ciphers = "c"
    case dynamicForwarding = "D"
    case logFile = "E"
    case background = "f"
    case pkcs11 = "I"
    case localForwarding = "L"
    case macs = "m"
    case noCommand = "N"
    case controlCommand = "O"
    case tag = "P"
    case query = "Q"
    case remoteForwarding = "R"
    case tunnelDevice = "w"
    case standardForwarding = "W"
    case x11Forwarding = "X"
    case trustedX11Forwarding = "Y"

    /// What vt does with a flag.
    enum Effect {
        /// Stands for an option of ssh_config(5), with the value of the flag unless the value is fixed.
        case option(String, value: String?)
        /// Is the same, but overrides the option, whatever their order.
        case overriding(String, value: String?)
        /// Is handled individually.
        case special
        /// Asks for something that vt does anyway, or that does not change what the program sees.
        case ignored
        /// Is an error, with a reason and what to do instead.
        case refused(String, hint: String? = nil)
    }

    var effect: Effect {
        switch self {
        case .user: .option("User", value: nil)
        case .port: .option("Port", value: nil)
        case .jump: .option("ProxyJump", value: nil)
        case .ipv4: .overriding("AddressFamily", value: "inet")
        case .ipv6: .overriding("AddressFamily", value: "inet6")
        case .noInput: .overriding("StdinNull", value: "yes")
        case .controlPath: .overriding("ControlPath", value: nil)
        case .localForwarding: .option("LocalForward", value: nil)
        case .remoteForwarding: .option("RemoteForward", value: nil)
        case .dynamicForwarding: .option("DynamicForward", value: nil)
        case .gatewayPorts: .overriding("GatewayPorts", value: "yes")
        case .bindAddress: .overriding("BindAddress", value: nil)
        case .bindInterface: .overriding("BindInterface", value: nil)
        case .ciphers: .overriding("Ciphers", value: nil)
        case .macs: .overriding("MACs", value: nil)
        case .tag: .overriding("Tag", value: nil)
        case .option, .configurationFile, .subsystem, .terminal, .noTerminal, .quiet, .verbose, .showConfiguration,
            .showVersion, .standardForwarding, .logFile, .query, .controlCommand, .noCommand, .identity, .background:
            .special
        case .protocol2, .noAgentForwarding, .compression, .escapeCharacter, .gssapi, .noGSSAPIDelegation,
            .controlMaster, .noX11Forwarding, .systemLog:
            .ignored
        case .protocol1: .refused("version 1 of the protocol is insecure")
        case .agentForwarding:
            .refused(
                "vt does not forward agents",
                hint: "to reach a server through another one, use -J; to forward the agent, run OpenSSH's ssh"
            )
        case .x11Forwarding, .trustedX11Forwarding:
            .refused("vt does not forward X11", hint: "run OpenSSH's ssh")
        case .tunnelDevice: .refused("vt does not forward network devices", hint: "run OpenSSH's ssh")
        case .pkcs11:
            .refused("vt does not support PKCS #11", hint: "add the keys to an agent: ssh-add -s LIBRARY")
        }
    }

    var takesValue: Bool {
        switch self {
        case .user, .port, .identity, .jump, .option, .configurationFile, .escapeCharacter, .controlPath,
            .bindInterface, .bindAddress, .ciphers, .dynamicForwarding, .logFile, .pkcs11, .localForwarding, .macs,
            .controlCommand, .tag, .query, .remoteForwarding, .tunnelDevice, .standardForwarding:
            true
        case .ipv4, .ipv6, .noInput, .subsystem, .terminal, .noTerminal, .quiet, .verbose, .showConfiguration,
            .showVersion, .protocol2, .noAgentForwarding, .compression, .gatewayPorts, .gssapi, .noGSSAPIDelegation,
            .controlMaster, .noX11Forwarding, .systemLog, .protocol1, .agentForwarding, .background, .noCommand,
            .x11Forwarding, .trustedX11Forwarding:
            false
        }
    }
}
