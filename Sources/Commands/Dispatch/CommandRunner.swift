import Arguments
import Core
import Glibc
import Runtime
import Services
import System

/// Runs a command line and returns how the process exits.
package struct CommandRunner: Sendable {
    private let commands: [NamedCommand]
    private let tree: CommandTree
    private let console: Console
    private let world: World

    package init(
        commands: [NamedCommand] = CommandTable.all,
        tree: CommandTree = CommandTable.tree,
        console: Console,
        world: World
    ) {
        self.commands = commands
        self.tree = tree
        self.console = console
        self.world = world
    }

    /// Runs the arguments after the program name.
    ///
    /// On return, all output has been written and the terminal has been restored. Standard output has been closed,
    /// unless the process is to be terminated by a signal; if closing it fails, the run fails. Failures are reported
    /// on standard error.
    ///
    /// A command that passes through a program's status exits with 255 if vt itself fails, or with 124 on a timeout.
    package func run(_ words: [ByteString]) async -> ProcessExit {
        let outcome = Parser(tree).parse(words)
        do throws(VTError) {
            return try await run(outcome, ConsoleDiagnostics(console, global: outcome.globalOptions))
        } catch {
            let status = outcome.passesStatusThrough ? error.code.passThroughStatus : error.code.status
            var text = ErrorReport(error, status: status).text(outcome.globalOptions)
            if words.isEmpty { text = HelpText(tree, isLong: false).overview() + "\n" + text }
            // A failure to write to standard error cannot be reported.
            try? console.errorOutput.write(Array(text.utf8))
            return .status(status)
        }
    }

    private func run(_ outcome: ParseOutcome, _ diagnostics: any Diagnostics) async throws(VTError) -> ProcessExit {
        let (commands, tree, world) = (commands, tree, world)
        var context = Context(
            global: outcome.globalOptions,
            tree: tree,
            console: console,
            diagnostics: diagnostics,
            world: world
        ) { words, console, diagnostics async throws(VTError) in
            let runner = CommandRunner(commands: commands, tree: tree, console: console, world: world)
            return try await runner.run(Parser(tree).parse(words), diagnostics)
        }
        context.passesStatusThrough = outcome.passesStatusThrough
        let exit = try await perform(outcome.request, in: context)
        console.progressLine.clear()
        if case .status = exit { try context.output.close() }
        return exit
    }

    /// Returns the report and the exit status for an error that prevents a command line from running.
    package static func report(_ error: VTError, for words: [ByteString]) -> (text: String, status: UInt8) {
        let outcome = Parser(CommandTable.tree).parse(words)
        let status = outcome.passesStatusThrough ? error.code.passThroughStatus : error.code.status
        return (ErrorReport(error, status: status).text(outcome.globalOptions), status)
    }

    private func perform(_ request: Request, in context: Context) async throws(VTError) -> ProcessExit {
        switch request {
        case .help(let path, let isLong):
            return try context.showHelp(path, isLong: isLong)
        case .run(let call):
            guard let command = commands.first(where: { $0.name == call.spec.name })?.type else {
                throw VTError(.internal, "command '\(call.spec.name)' is not in the command table")
            }
            try command.check(call)
            var context = context
            context.connection = try command.connection(call)
            return try await perform(command, call, in: context)
        case .reject(let error): throw error
        }
    }

    /// Runs a command until it ends or a signal cancels it, and then releases its resources.
    private func perform(
        _ command: any Command.Type,
        _ call: Call,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        let handling = try command.signalHandling(of: call, on: console)
        var context = context
        context.interruption = try console.signals.take(handling)
        let (result, signal) = await result(of: command, call, in: context, cancels: handling.cancels)
        let failure = await context.teardown.perform()
        console.terminal.end()
        if let signal { return .signal(signal) }
        let hasLostReader = console.output.hasLostReader || context.queues.hasLostReader
        if hasLostReader, handling.cancels || handling == .brokenPipe || command.endsWithReader(call) {
            return .signal(SIGPIPE)
        }
        let exit = try result.get()
        if let failure { throw failure }
        return exit
    }

    private func result(
        of command: any Command.Type,
        _ call: Call,
        in context: Context,
        cancels: Bool
    ) async -> (result: Result<ProcessExit, VTError>, signal: CInt?) {
        guard cancels else {
            return (await Result { () async throws(VTError) in try await Self.run(command, call, in: context) }, nil)
        }
        return await context.interruption.run { () async throws(VTError) in
            try await Self.run(command, call, in: context)
        }
    }

    /// Runs a command and drains its output.
    private static func run(
        _ command: any Command.Type,
        _ call: Call,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        do throws(VTError) {
            let exit = try await runWhileRead(command, call, in: context)
            switch exit {
            case .status: try await context.queues.finish()
            // The signal ends the process, whether or not the remaining output can be written.
            case .signal: await context.queues.finish(after: .cancelled)
            }
            return exit
        } catch {
            await context.queues.finish(after: error)
            throw error
        }
    }

    /// Runs a command, and cancels it when it should end because the reader of standard output has exited.
    private static func runWhileRead(
        _ command: any Command.Type,
        _ call: Call,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        guard command.endsWithReader(call) else { return try await command.run(call, in: context) }
        let output = context.console.output
        return try await withWatch { () async throws(VTError) in
            try await output.waitForLostReader()
            if output.hasLostReader { throw .cancelled }
        } _: { () async throws(VTError) in
            try await command.run(call, in: context)
        }
    }
}
