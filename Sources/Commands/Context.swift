import Arguments
import Core
import Services

/// The environment in which a command runs.
package struct Context: Sendable {
    package let global: GlobalOptions
    /// All commands, for `help` and other commands that describe them.
    package let tree: CommandTree
    package let console: Console
    /// Standard output, for documents and text that are complete when they are written.
    package let output: Output
    /// Standard output and standard error, for data that is written as it arrives.
    let queues: RunQueues
    /// Standard error.
    package private(set) var diagnostics: any Diagnostics
    /// Shows the banner of a server (RFC 4252 §5.4); nil means that it is a detail like the other steps of connecting.
    var showBanner: (@Sendable (String) -> Void)?
    /// The settings that the command line gives for connections.
    var connection = HostSettings()
    /// Whether the exit status is that of a program, so that other statuses report failures of vt.
    var passesStatusThrough = false
    /// The signals that the command handles itself.
    package var interruption = Interruption.none
    /// What the command uses of this machine and of the network, with the diagnostics of `CommandRunner`.
    private let machine: World
    let teardown = Teardown()
    /// Runs a command line on another console, as vt would, with its messages sent to the diagnostics.
    private let runsCommand: @Sendable ([ByteString], Console, any Diagnostics) async throws(VTError) -> ProcessExit

    init(
        global: GlobalOptions,
        tree: CommandTree,
        console: Console,
        diagnostics: any Diagnostics,
        world: World,
        runsCommand: @escaping @Sendable ([ByteString], Console, any Diagnostics) async throws(VTError) -> ProcessExit
    ) {
        self.global = global
        self.tree = tree
        self.console = console
        output = Output(console.output, style: console.style(global.color))
        queues = RunQueues(console, clock: world.clock)
        self.diagnostics = diagnostics
        machine = world
        self.runsCommand = runsCommand
    }

    /// Runs a command line on another console, as vt would, with its messages sent to the diagnostics.
    func run(
        _ words: [String],
        on console: Console,
        diagnostics: any Diagnostics
    ) async throws(VTError) -> ProcessExit {
        try await runsCommand(words.map { ByteString($0) }, console, diagnostics)
    }

    /// The style of text on standard error.
    var errorStyle: OutputStyle { console.style(global.color, of: console.errorOutput) }

    /// What the command uses of this machine and of the network.
    var world: World {
        var world = machine
        (world.diagnostics, world.observer) = (diagnostics, connectionObserver)
        return world
    }

    /// Reports the steps of connecting to servers.
    private var connectionObserver: ConnectionObserver {
        let details = diagnostics.connectionDetails
        guard let showBanner else { return details }
        return { name, step in
            if case .greeted(let banner) = step { showBanner(banner) } else { details(name, step) }
        }
    }

    /// Returns a context with the verbosity that the command parsed from its own arguments.
    func reporting(quiet: Bool, verbosity: Int) -> Context {
        guard quiet || verbosity > 0 else { return self }
        var context = self
        let options = GlobalOptions(quiet: quiet, verbosity: verbosity)
        context.diagnostics = ConsoleDiagnostics(console, global: options)
        return context
    }

    /// Returns a context for a server, which drops messages rather than wait for the reader of standard error.
    func reportingOfServer() -> Context {
        reporting(to: ConsoleDiagnostics(console, global: global, isServer: true))
    }

    /// Returns a context whose messages go elsewhere than to standard error.
    func reporting(to diagnostics: any Diagnostics) -> Context {
        var context = self
        context.diagnostics = diagnostics
        return context
    }

    /// Prints the result of the run: the document with `--json`, otherwise the text.
    package func show(_ document: some JSONValue, text: () -> String) throws(VTError) {
        if global.json {
            try output.json(document)
        } else {
            try output.text(text())
        }
    }

    /// Prints the result of the run: the document with `--json`, otherwise the fields that have a value.
    func show(_ document: some JSONValue, fields: @autoclosure () -> [(String, String?)]) throws(VTError) {
        guard !global.json else { return try output.json(document) }
        try output.table(TextTable(fields: fields()))
    }

    /// Adds a step that is performed when the command has returned, failed or been canceled by a signal.
    ///
    /// Steps are performed in the order in which they are added, and are not canceled. If the run has succeeded, the
    /// first failure of a step becomes the failure of the run.
    package func atEnd(_ step: @escaping @Sendable () async throws(VTError) -> Void) {
        teardown.add(step)
    }
}
