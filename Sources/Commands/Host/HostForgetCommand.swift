import CommandLine
import Core
import Services

/// Forgets host keys: `vt host forget HOST...`.
package struct HostForgetCommand: Command {
    package static let spec = CommandSpec(
        ["host", "forget"],
        summary: "forget the host keys of servers",
        description: [
            "Removes the names from the known_hosts file of vt; the files of OpenSSH stay as they are. A host that is not "
                + "known is no error. HOST may have a port behind a colon, as in web.example:2222."
        ],
        operands: [OperandSpec("HOST", .oneOrMore, completion: .hostName)],
        examples: [ExampleSpec("vt host forget web.example", "meet a server as a new one")],
        exitCodes: [.notFound, .cannotCreate, .busy, .config]
    )

    private let endpoints: [Endpoint]

    package init(_ arguments: ParsedArguments) throws(VTError) {
        var endpoints: [Endpoint] = []
        for word in arguments.operands("HOST") { endpoints.append(try Endpoint(argument: word)) }
        self.endpoints = endpoints
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let service = try context.services.hostService(context.diagnostics)
        var removed: [KnownHost] = []
        for endpoint in endpoints {
            let hosts = try service.forget(endpoint)
            if hosts.isEmpty { context.diagnostics.note("'\(endpoint)' is not known") }
            removed += hosts
        }
        try context.show(removed.map(KnownHostDocument.init)) { "" }
        return 0
    }
}
