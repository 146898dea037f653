import Arguments
import Commands
import Core
import POSIX

/// Runs command lines in this process and records their output.
struct RunFixture {
    var commands: [any Command.Type] = CommandTable.all
    var services: any ServiceFactory = NoServices()
    var output = MemoryStream()
    var errorOutput = MemoryStream()
    var environment = Environment([:])

    /// Runs the arguments in a line, split at spaces.
    func run(_ line: String) async -> UInt8 {
        var tree = CommandTable.tree
        tree.commands = commands.map { $0.spec }
        let console = Console(output: output, errorOutput: errorOutput, environment: environment)
        let runner = CommandRunner(commands: commands, tree: tree, console: console, services: services)
        return await runner.run(line.split(separator: " ").map { ByteString($0) })
    }
}

/// A command whose result is given in its operands: an error code, or a status.
struct EndingCommand: Command {
    static let spec = CommandSpec(["end"], summary: "end in some way", operands: [OperandSpec("HOW")])

    private let how: String

    init(_ arguments: ParsedArguments) throws(VTError) {
        how = try arguments.operand("HOW")
    }

    func run(in context: Context) async throws(VTError) -> UInt8 {
        context.diagnostics.note("a note of \u{1b}[31m\(how)")
        context.diagnostics.detail("a detail")
        guard let code = VTError.Code(rawValue: how) else { return UInt8(how) ?? 0 }
        throw VTError(code, "cannot end '\(how)\u{1b}'", hint: "vt end 0", causes: ["first", "second\n"])
    }
}

/// The same, passing through a program's status.
struct PassingCommand: Command {
    static let spec = CommandSpec(
        ["pass"],
        summary: "end as a program did",
        operands: [OperandSpec("HOW")],
        passesStatusThrough: true
    )

    private let ending: EndingCommand

    init(_ arguments: ParsedArguments) throws(VTError) {
        ending = try EndingCommand(arguments)
    }

    func run(in context: Context) async throws(VTError) -> UInt8 {
        try await ending.run(in: context)
    }
}
