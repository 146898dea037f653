import Arguments
import Core
import System

/// The parts of the process that a command uses: streams, terminal, signals and environment.
package struct Console: Sendable {
    package var input: any StandardInput
    package var output: any StandardOutput
    package var errorOutput: any StandardOutput
    package var terminal: any RunTerminal
    package var signals: any SignalSource
    package var environment: Environment
    /// The line that shows progress on the terminal of standard error.
    let progressLine: ProgressLine

    package init(
        input: any StandardInput,
        output: any StandardOutput,
        errorOutput: any StandardOutput,
        terminal: any RunTerminal,
        signals: any SignalSource,
        environment: Environment
    ) {
        self.input = input
        progressLine = ProgressLine(errorOutput)
        self.output = TerminalOutput.erasing(progressLine, before: output)
        self.errorOutput = TerminalOutput.erasing(progressLine, before: errorOutput)
        self.terminal = terminal
        self.signals = signals
        self.environment = environment
    }

    /// The size of the terminal that a standard stream is connected to; nil if none is.
    var terminalSize: TerminalSize? {
        output.terminalSize ?? errorOutput.terminalSize ?? input.terminalSize
    }

    /// Returns the style of text on standard output.
    package func style(_ color: GlobalOptions.ColorChoice) -> OutputStyle { style(color, of: output) }

    /// Returns the style of text on one of the streams.
    ///
    /// By default, colors are used on a terminal, unless `NO_COLOR` is set (no-color.org) or TERM is `dumb`.
    func style(_ color: GlobalOptions.ColorChoice, of stream: any StandardOutput) -> OutputStyle {
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: stream.isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            }
        return OutputStyle(isColored: isColored, columns: stream.isTerminal ? stream.terminalSize?.columns : nil)
    }
}
