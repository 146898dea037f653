import CommandLine
import Core
import Services

/// The options of the commands that ask a server for its host keys.
struct ProbeOptions: Sendable {
    private let endpoint: Endpoint
    private let jump: String?
    private let connectTimeout: Duration?

    static let operand = OperandSpec("HOST", completion: .hostName)

    static let specs = [
        OptionSpec(
            "jump",
            short: "J",
            value: ValueSpec("PROFILE", completion: .profile),
            summary: "connect through this server"
        ),
        OptionSpec(
            "connect-timeout",
            value: ValueSpec("DURATION", defaultText: "15s"),
            summary: "give up when the server has not answered after this time"
        ),
    ]

    /// The failure classes of connecting, without those of logging in.
    static let exitCodes: [ExitCode] = [
        .hostUnresolved, .hostUnreachable, .protocolViolation, .authDenied, .hostKeyChanged, .hostKeyUnknown, .notFound,
        .config,
    ]

    init(_ arguments: ParsedArguments) throws(VTError) {
        endpoint = try arguments.operand("HOST") { text throws(VTError) in try Endpoint(argument: text) }
        jump = arguments.value("jump")
        connectTimeout = try arguments.value("connect-timeout") { text throws(VTError) in
            try Duration(parsing: text)
        }
    }

    func plan(in context: Context) throws(VTError) -> ConnectionPlan {
        try context.services.planResolver().probe(endpoint, through: jump, connectTimeout: connectTimeout)
    }
}
