import Arguments
import Core
import Runtime
import Services
import System

/// Serves sessions to browsers: `vt serve`.
package enum ServeCommand: Command {
    private static let items = Operand("SESSION", completion: .session, parse: PageItem.init(parsing:))
        .list(.zeroOrMore)
    private static let listen = Option(
        "listen",
        ValueKind("ADDRESS", parse: endpoint),
        default: "127.0.0.1:4020",
        summary: "listen on this address, as in 127.0.0.1:4020; with port 0, the system chooses a free port"
    )
    private static let origin = Option(
        "origin",
        ValueKind("URL", parse: { text throws(VTError) in try WebOrigin(parsing: text) }),
        summary: "URL of the page, if a proxy forwards requests to vt"
    )
    private static let certificate = Option(
        "tls-cert",
        .file,
        summary: "encrypt connections with the certificate in this file (PEM), followed by those that lead to it"
    )
    private static let key = Option(
        "tls-key",
        .file,
        summary: "use the key of the certificate in this file (PEM), which must have no passphrase"
    )
    private static let plainHTTP = Option.flag(
        "plain-http",
        summary: "allow an address that other machines can reach, although nothing is encrypted"
    )
    private static let maximumClients = Option(
        "max-clients",
        .number(in: 1...1000),
        default: "32",
        summary: "serve at most N pages at the same time"
    )

    private static let vibeTunnel = Option.flag(
        "vibetunnel",
        summary: "also serve the clients of VibeTunnel, whose password is the token of a link"
    )

    package static let spec = CommandSpec(
        ["serve"],
        summary: "show sessions in a browser",
        description: [
            "Serves a page with the sessions of this machine, or with the given ones, and prints its URL. The page "
                + "shows what 'vt sessions screen' shows, types into the sessions, and has a timeline.",
            "Keep the URL secret: anyone who has it can type into the sessions. The command runs until it is "
                + "interrupted; to keep it running, run it in a session.",
            SessionOperand.explanation,
            "# Links",
            "The URL works in one tab, which can be reloaded; 'vt share --owner' makes another one, and 'vt share "
                + "SESSION' URLs with fewer rights. All URLs become invalid when the command ends.",
            "# Other machines",
            "They cannot connect, unless --listen names an address that they can reach. This requires a certificate "
                + "(--tls-cert, --tls-key) or, within a VPN, --plain-http, with which nothing is encrypted. Instead, "
                + "a proxy can accept the connections: --origin is the URL under which it does so. A page that is "
                + "reached by a name, and not by the address, needs --origin too.",
            "# Recordings",
            "In place of SESSION, a recording can be given: the path of an asciicast that contains a slash, or ends "
                + "in .cast or .cast.gz. The page offers recordings for download.",
            "# VibeTunnel",
            "With --vibetunnel, the clients of VibeTunnel can use the sessions at the same address. The password, for "
                + "any user name, is what follows '#k=' in the URL, or in one made by 'vt share', which allows less; "
                + "a URL that a page has opened is not valid for them any more.",
            "# JSON",
            "A line is printed when the server accepts connections, and for each page that connects, disconnects or "
                + "is refused. If nothing reads them, lines are dropped, and the next one says how many.",
        ],
        operands: [items],
        options: [listen, origin, certificate, key, plainHTTP, maximumClients, vibeTunnel],
        examples: [
            ExampleSpec("vt serve", "serve all sessions of this machine, to this machine"),
            ExampleSpec("vt serve web:deploy", "serve a session on a server, which opens no port"),
            ExampleSpec("vt serve build.cast", "serve a recording, with a timeline"),
            ExampleSpec("vt serve --origin https://example.org/vt/", "serve sessions through a proxy"),
        ],
        exitCodes: VTError.Code.ofConnections + [.busy, .exists, .cannotCreate]
    )

    package static var documents: [DocumentSpec] {
        [.lines(PageEvent.self)]
    }

    private static let defaultEndpoint = Endpoint(host: "127.0.0.1", port: 4020)

    package static func check(_ call: Call) throws(VTError) {
        let endpoint = call[listen] ?? defaultEndpoint
        guard call[origin] != nil || !["0.0.0.0", "::"].contains(endpoint.host) else {
            throw VTError(
                .usage,
                "'\(endpoint)' is not an address that browsers can use",
                hint: "use one address of this machine, or add --origin http://NAME:PORT/"
            )
        }
        guard call.contains(certificate) == call.contains(key) else {
            throw VTError(.usage, "--tls-cert and --tls-key must be used together")
        }
        guard isLoopback(endpoint.host) || call.contains(certificate) || call[plainHTTP] else {
            throw VTError(
                .usage,
                "other machines can reach '\(endpoint)', and nothing would be encrypted",
                hint: "add --tls-cert and --tls-key or, within a VPN, --plain-http"
            )
        }
    }

    /// Parses an IP address, or `localhost`, with a port.
    private static func endpoint(_ text: String) throws(VTError) -> Endpoint {
        let host = text.lastIndex(of: ":").map { String(text[..<$0]) } ?? ""
        let port = UInt16(text.dropFirst(host.count + 1))
        let address = host == "localhost" ? host : NumericAddress.canonical(String(host.filter { !"[]".contains($0) }))
        guard let address, let port else {
            throw VTError(.usage, "invalid address '\(text)'", hint: "use the form 127.0.0.1:4020 or [::1]:4020")
        }
        return Endpoint(host: address, port: port)
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func endsWithReader(_ call: Call) -> Bool { true }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (items, endpoint) = (call[Self.items], call[listen] ?? defaultEndpoint)
        for case .session(let reference) in items { try SessionOperand.check(reference, in: context) }
        if !isLoopback(endpoint.host), !call.contains(certificate) {
            context.diagnostics.note("nothing is encrypted: others in the network of '\(endpoint)' can read and type")
        }
        var settings = WebSettings(
            listen: endpoint,
            origin: call[origin],
            maximumClients: call[maximumClients] ?? 32,
            controlPath: try context.world.directories().server
        )
        if let chain = call[certificate], let key = call[Self.key] { settings.certificate = (chain, key) }
        let context = context.reporting(to: DistinctDiagnostics(context.reportingOfServer().diagnostics))
        // The link is printed only once.
        try context.output.checkIsWritable()
        let failure = Monitor<VTError?>(nil)
        let events = PageEventOutput(context)
        let server = PageServer(
            items,
            clock: context.world.clock,
            version: Release.version,
            diagnostics: context.diagnostics,
            client: { profile throws(VTError) in try context.sessionClient(on: profile) },
            report: { event in
                do throws(VTError) {
                    try events.show(event)
                } catch {
                    failure.update { $0 = $0 ?? error }
                }
            }
        )
        let web = context.world.web()
        let interface = call[vibeTunnel] ? VibeTunnelInterface(server) : nil
        try await withWatch({ () async throws(VTError) in throw try await failure.wait { $0 } }) {
            [settings] () async throws(VTError) in
            try await server.run(on: web, settings, interface: interface)
        }
        return 0
    }
}
