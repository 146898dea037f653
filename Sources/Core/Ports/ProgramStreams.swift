/// The streams of a program, seen from outside.
package struct ProgramStreams: Sendable {
    /// The program's standard input; it sees its end when the source ends.
    package var input: any ByteSource
    /// Takes the standard output, and with a terminal everything.
    package var output: any ByteSink
    package var errorOutput: any ByteSink
    /// New sizes of the terminal.
    package var sizes: AsyncStream<TerminalSize>?

    package init(
        input: any ByteSource,
        output: any ByteSink,
        errorOutput: any ByteSink,
        sizes: AsyncStream<TerminalSize>? = nil
    ) {
        self.input = input
        self.output = output
        self.errorOutput = errorOutput
        self.sizes = sizes
    }
}
