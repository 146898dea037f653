import Foundation

/// A program to run, with its arguments and its complete environment; no variables are inherited.
///
/// If `directory` is nil, the program runs in the current directory.
package struct ProgramCall: Sendable {
    package var path: String
    /// The arguments after the program name, as bytes because file names need not be UTF-8.
    package var arguments: [[UInt8]]
    package var environment: [String: String]
    package var directory: String?

    package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
        self.path = path
        self.arguments = arguments.map { Array($0.utf8) }
        self.environment = ["PATH": Self.searchPath, "LANG": "C.UTF-8"].merging(environment) { $1 }
    }

    /// Runs the program until it exits, with `input` on standard input, and collects its output.
    ///
    /// Kills the program and throws `FixtureError` at the deadline, so that tests never hang.
    package func run(input: [UInt8] = [], deadline: Duration = .patience) async throws -> ProgramResult {
        let program = try start()
        async let output = program.output.readToEnd()
        async let errors = program.errors.readToEnd()
        async let writing: Void = onThread {
            // A program can exit without reading all of its input.
            try? program.input.write(input)
            program.input.close()
        }
        let end = try await program.end(deadline: deadline)
        let result = await ProgramResult(
            status: end.status,
            output: output,
            errors: errors,
            duration: end.duration
        )
        await writing
        return result
    }

    /// Runs the program, throws if it fails, and returns its standard output.
    @discardableResult
    package func check(input: [UInt8] = []) async throws -> String {
        let result = try await run(input: input)
        guard result.status == .exited(0) else {
            throw FixtureError("\(path): \(result.status): \(result.errorText)")
        }
        return result.text
    }

    /// Starts the program with pipes for its three standard streams.
    package func start() throws -> RunningProgram {
        try RunningProgram(self)
    }

    /// env(1) looks up the program and changes the directory.
    var executable: String { "/usr/bin/env" }

    var words: [[UInt8]] {
        let change = directory.map { ["-C", $0] } ?? []
        return (["env"] + change + [path]).map { Array($0.utf8) } + arguments
    }

    package static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
}
