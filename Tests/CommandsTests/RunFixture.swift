import Arguments
import Commands
import Core
import Foundation
import Services
import System

/// Runs command lines in this process and records their output.
struct RunFixture {
    var commands = CommandTable.all
    var machine = FakeMachine()
    var input = MemoryInput()
    var output = MemoryOutput()
    var errorOutput = MemoryOutput()
    var terminal = MemoryTerminal()
    var signals = MemorySignals()
    var environment = Environment([:])

    var console: Console {
        Console(
            input: input,
            output: output,
            errorOutput: errorOutput,
            terminal: terminal,
            signals: signals,
            environment: environment
        )
    }

    /// Runs the arguments in a line, split at spaces.
    func run(_ line: String) async -> ProcessExit {
        var tree = CommandTable.tree
        tree.entries = CommandTable.entries(of: commands)
        var world = machine.world
        world.environment = environment
        let runner = CommandRunner(
            commands: commands,
            tree: tree,
            console: console,
            world: world
        )
        return await runner.run(line.split(separator: " ").map { ByteString($0) })
    }

    /// Standard output as JSON.
    func document() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.text.utf8))
    }
}

/// A command whose operand specifies its result: an error code or a status.
enum EndingCommand: Command {
    static let how = Operand("HOW")
    static let spec = CommandSpec(["end"], summary: "end in some way", operands: [how])
    static let documents: [DocumentSpec] = []

    static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let how = call[how]
        context.diagnostics.note("a note of \u{1b}[31m\(how)")
        context.diagnostics.detail("a detail")
        guard let code = VTError.Code(rawValue: how) else { return .status(UInt8(how) ?? 0) }
        throw VTError(code, "cannot end '\(how)\u{1b}'", hint: "vt end 0", causes: ["first", "second\n"])
    }
}

/// `EndingCommand`, declared to pass through the status of a program.
enum PassingCommand: Command {
    static let spec = CommandSpec(
        ["pass"],
        summary: "end as a program did",
        operands: [EndingCommand.how],
        passesStatusThrough: true
    )
    static let documents: [DocumentSpec] = []

    static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        try await EndingCommand.run(call, in: context)
    }
}

/// A command with three final steps: the second fails, and the others print a note.
enum SteppingCommand: Command {
    private static let how = Operand("HOW").optional()
    static let spec = CommandSpec(["step"], summary: "end in steps", operands: [how])
    static let documents: [DocumentSpec] = []

    static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        context.atEnd { context.diagnostics.note("first") }
        context.atEnd { () async throws(VTError) in throw VTError(.io, "the second failed") }
        context.atEnd { context.diagnostics.note("third") }
        context.diagnostics.note("run")
        if call[how] == "fail" { throw VTError(.notFound, "the run failed") }
        return 3
    }
}
