import Arguments
import Core
import Runtime
import Services

/// Forwards connections through a server: `vt forward PROFILE`.
package enum ForwardCommand: Command {
    private static let target = Operand("PROFILE", completion: .profile, parse: Target.init(parsing:))
    private static let local = Option(
        "local",
        short: "L",
        ValueKind("FORWARD", parse: { text throws(VTError) in try Forward(.local, parsing: text) }),
        summary: "accept connections here and connect to HOST:HOSTPORT from the server"
    ).repeatable()
    private static let remote = Option(
        "remote",
        short: "R",
        ValueKind("FORWARD", parse: { text throws(VTError) in try Forward(.remote, parsing: text) }),
        summary: "accept connections on the server and connect to HOST:HOSTPORT from here"
    ).repeatable()
    private static let socks = Option(
        "socks",
        short: "D",
        ValueKind("ADDRESS", parse: Forward.init(dynamic:)),
        summary: "accept connections here as a SOCKS proxy (versions 4, 4a and 5)"
    ).repeatable()
    private static let run = Option(
        "run",
        .text("LINE", completion: .command),
        summary: "run a command line while the forwards are open, and exit with its status"
    ).formerly("exec")
    private static let noReconnect = Option.flag("no-reconnect", summary: "exit if the connection is lost")

    package static let spec = CommandSpec(
        ["forward"],
        summary: "forward ports and sockets through a server",
        description: [
            "Accepts connections on this machine (-L, -D) or on the server (-R) and forwards them over SSH, until a "
                + "signal ends the command. As with ssh(1), FORWARD is [BIND:]PORT:HOST:HOSTPORT and ADDRESS is "
                + "[BIND:]PORT.",
            "Once all forwards accept connections, one line is printed for each, in the order -L, -R, -D: the address "
                + "at which connections are accepted, and their destination. If a forward cannot be set up, the "
                + "command fails.",
            "# Addresses",
            "With port 0, the system chooses a free port. Ports are bound to the loopback interface unless BIND is an "
                + "address or '*'. For Unix domain sockets, a path takes the place of [BIND:]PORT or HOST:HOSTPORT; "
                + "with -R, the server cannot listen on a Unix domain socket.",
            "# Running a command",
            "With --run, sh runs LINE on this machine while the forwards are open, and vt exits with its status. "
                + "VT_FORWARD_1, VT_FORWARD_2 and so on in its environment are the addresses of the forwards, and "
                + "VT_FORWARD_1_HOST and VT_FORWARD_1_PORT the host and port of the first. LINE inherits vt's "
                + "standard streams; the addresses are not printed.",
            "# Lost connections",
            "vt makes up to ten attempts to reconnect: the first immediately, the rest after delays that double from "
                + "1 to 32 seconds. Then it accepts connections on the same ports again; connections that were being "
                + "forwarded are closed. vt does not retry if authentication fails or the host key has changed.",
        ],
        operands: [target],
        options: [local, remote, socks, run, noReconnect, SharedOptions.connectTimeout] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt forward web -L 8080:localhost:80", "reach a web server that only the server can reach"),
            ExampleSpec(
                "vt forward web -L 0:db.internal:5432 --run 'psql -h 127.0.0.1 -p $VT_FORWARD_1_PORT app'",
                "run a client on a free port"
            ),
            ExampleSpec("vt forward web -R 9000:localhost:3000", "let the server reach a port on this machine"),
            ExampleSpec("vt forward web -D 1080", "run a SOCKS proxy"),
        ],
        exitCodes: VTError.Code.ofConnections + [.exists, .cannotCreate],
        passesStatusThrough: true
    )

    package static var documents: [DocumentSpec] {
        [.lines(ForwardDocument.self, when: "without `--run`")]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard !forwards(call).isEmpty else {
            throw VTError(.usage, "nothing to forward", hint: "specify at least one of -L, -R and -D")
        }
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        guard let (_, plan) = try context.planResolver().resolve(call[target], options: context.connection) else {
            throw VTError(.usage, "cannot forward through this machine", hint: "specify a server")
        }
        let context = context.reportingOfServer()
        guard let line = call[run] else {
            try await keep(call, over: plan, in: context) { forwards throws(VTError) in
                try show(forwards, on: plan, in: context)
            }
            return 0
        }
        let ready = Monitor<[Forward]?>(nil)
        let runner = ForegroundProgram(environment: context.console.environment)
        let status = try await withWatch({ () async throws(VTError) in
            try await keep(call, over: plan, in: context) { forwards throws(VTError) in ready.update { $0 = forwards } }
        }) { () async throws(VTError) in
            let forwards = try await ready.wait { $0 }
            return try await runner.run(
                ExecRequest(.shellLine(ByteString(line)), environment: try variables(for: forwards), shell: "/bin/sh")
            )
        }
        return .status(status.shellStatus)
    }

    /// Returns the forwards in the order in which they are listed.
    private static func forwards(_ call: Call) -> [Forward] {
        call[local] + call[remote] + call[socks]
    }

    private static func keep(
        _ call: Call,
        over plan: ConnectionPlan,
        in context: Context,
        whenReady: @escaping @Sendable ([Forward]) throws(VTError) -> Void
    ) async throws(VTError) {
        try await ForwardService(context.world).keep(
            forwards(call),
            options: ForwardOptions(),
            over: plan,
            reconnecting: call[noReconnect] ? .none : .standard,
            clock: context.world.clock
        ) { forwards throws(VTError) in
            try context.profileService().recordConnections(to: [plan.name], diagnostics: context.diagnostics)
            try whenReady(forwards)
        }
    }

    // MARK: - Output

    private static func show(_ forwards: [Forward], on plan: ConnectionPlan, in context: Context) throws(VTError) {
        for (index, forward) in forwards.enumerated() {
            guard !context.global.json else {
                try context.output.jsonLine(ForwardDocument(forward, number: index + 1))
                continue
            }
            let host = forward.side == .remote ? "\(plan.name.sanitized):" : ""
            try context.output.text(
                "\(host)\(forward.listener.clientAddress) -> \(forward.target?.description ?? "SOCKS")"
            )
        }
    }

    private static func variables(for forwards: [Forward]) throws(VTError) -> [EnvironmentVariable] {
        var texts: [String] = []
        for (index, forward) in forwards.enumerated() {
            let name = "VT_FORWARD_\(index + 1)"
            texts.append("\(name)=\(forward.listener.clientAddress)")
            guard case .port(let port, _) = forward.listener else { continue }
            texts += ["\(name)_HOST=\(forward.listener.clientHost)", "\(name)_PORT=\(port)"]
        }
        return try texts.map { text throws(VTError) in try EnvironmentVariable(text) }
    }
}
