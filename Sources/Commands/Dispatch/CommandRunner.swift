import Arguments
import Core

/// Runs a command line and returns its exit status.
package struct CommandRunner: Sendable {
    private let commands: [any Command.Type]
    private let tree: CommandTree
    private let console: Console
    private let services: any ServiceFactory

    package init(
        commands: [any Command.Type] = CommandTable.all,
        tree: CommandTree = CommandTable.tree,
        console: Console,
        services: any ServiceFactory
    ) {
        self.commands = commands
        self.tree = tree
        self.console = console
        self.services = services
    }

    /// Runs the arguments after the program name.
    ///
    /// Standard output is closed on return; if that fails, the run fails. Errors are reported on standard error. A
    /// command that passes through a program's status exits with 255 for every failure of vt except a timeout.
    package func run(_ words: [ByteString]) async -> UInt8 {
        let outcome = Parser(tree).parse(words)
        let diagnostics = ConsoleDiagnostics(console.errorOutput, global: outcome.globalOptions)
        let context = Context(
            global: outcome.globalOptions,
            tree: tree,
            output: Output(console.output, style: console.style(outcome.globalOptions.color)),
            diagnostics: diagnostics,
            services: services
        )
        do throws(VTError) {
            let status = try await perform(outcome.request.get(), in: context)
            diagnostics.endProgress()
            try context.output.close()
            return status
        } catch {
            diagnostics.endProgress()
            let status = outcome.passesStatusThrough ? error.code.passThroughStatus : error.code.status
            let report = ErrorReport(error, status: status, global: outcome.globalOptions)
            // If standard error cannot be written, there is nowhere to report that.
            try? console.errorOutput.write(Array(report.text.utf8))
            return status
        }
    }

    private func perform(_ request: Request, in context: Context) async throws(VTError) -> UInt8 {
        switch request {
        case .help(let path, let isLong):
            return try HelpPage(tree, path: path, isLong: isLong).show(in: context)
        case .run(let arguments):
            guard let type = commands.first(where: { $0.spec.path == arguments.spec.path }) else {
                throw VTError(.internal, "command '\(arguments.spec.name)' has no row in the table")
            }
            return try await type.init(arguments).run(in: context)
        }
    }
}
