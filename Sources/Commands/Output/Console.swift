import Arguments
import Core
import POSIX

/// An output stream for text.
package protocol ConsoleStream: Sendable {
    var isTerminal: Bool { get }
    /// The width of the terminal in cells; nil if the stream is not a terminal.
    var columns: Int? { get }

    /// - Throws: `io` when writing would certainly fail, for example because the stream is closed.
    func checkIsWritable() throws(VTError)
    /// Writes all bytes; blocks until they are written.
    func write(_ bytes: [UInt8]) throws(VTError)
    func close() throws(VTError)
}

extension StandardStream: ConsoleStream {
    package var columns: Int? {
        terminalSize?.columns
    }
}

/// The output streams of a run, and their style.
package struct Console: Sendable {
    package var output: any ConsoleStream
    package var errorOutput: any ConsoleStream
    package var environment: Environment

    package init(output: any ConsoleStream, errorOutput: any ConsoleStream, environment: Environment) {
        self.output = output
        self.errorOutput = errorOutput
        self.environment = environment
    }

    /// The style of text on standard output.
    ///
    /// By default, colors are used on a terminal, unless `NO_COLOR` is set (no-color.org) or TERM is `dumb`.
    package func style(_ color: GlobalOptions.ColorChoice) -> OutputStyle {
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: output.isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            }
        return OutputStyle(isColored: isColored, columns: output.isTerminal ? output.columns : nil)
    }
}
