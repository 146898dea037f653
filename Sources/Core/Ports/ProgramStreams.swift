/// The standard streams of a program, as the caller provides them.
package struct ProgramStreams: Sendable {
    /// Read as the program's standard input, which is closed when the source ends.
    package var input: any ByteSource
    /// Receives standard output, or all output if the program has a terminal.
    package var output: any ByteSink
    package var errorOutput: any ByteSink
    /// The new sizes of the program's terminal, whenever it is resized.
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
