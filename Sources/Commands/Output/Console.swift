import Arguments
import Core
import POSIX

/// A stream that text for the user goes to.
package protocol ConsoleStream: Sendable {
    var isTerminal: Bool { get }
    /// The width of the terminal in cells, or nil where there is none.
    var columns: Int? { get }

    /// - Throws: `io` where writing cannot but fail, as with a stream that is closed.
    func checkIsWritable() throws(VTError)
    /// Writes all bytes; blocks until they are taken.
    func write(_ bytes: [UInt8]) throws(VTError)
    func close() throws(VTError)
}

extension StandardStream: ConsoleStream {
    package var columns: Int? {
        terminalSize?.columns
    }
}

/// Where the output of a run goes, and how it may look there.
package struct Console: Sendable {
    package var output: any ConsoleStream
    package var errorOutput: any ConsoleStream
    package var environment: Environment

    package init(output: any ConsoleStream, errorOutput: any ConsoleStream, environment: Environment) {
        self.output = output
        self.errorOutput = errorOutput
        self.environment = environment
    }

    /// How text on standard output may look.
    ///
    /// Without a choice there are colours on a terminal, unless `NO_COLOR` is set (no-color.org) or it is a dumb one.
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
