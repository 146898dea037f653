import Arguments
import TestSupport

/// The completions of the sample tree in a scratch directory, with a `vt` that answers `vt complete`.
struct CompletionFixture {
    let scratch: ScratchDirectory

    /// The directory of that `vt`, which is checked in because a program that a test has just written cannot always be
    /// executed (ETXTBSY, execve(2)).
    private static let programs = "\(TestTree.root)/Tests/ArgumentsTests/Programs"

    init() throws {
        scratch = try ScratchDirectory()
        for file in GeneratedFile.all(of: SampleTree.tree) { try scratch.write(file.text, to: file.path) }
        try scratch.write("", to: "work/notes.txt")
        try scratch.write("", to: "work/new/inner")
    }

    /// Runs a shell in a directory that contains a file and a directory, and returns the lines that the shell prints.
    func lines(_ shell: String, _ arguments: [String]) async throws -> [String] {
        var call = ProgramCall(shell, arguments)
        call.environment["PATH"] = Self.programs + ":" + (call.environment["PATH"] ?? "")
        call.environment["HOME"] = scratch.path
        call.environment["TERM"] = "dumb"
        call.directory = scratch.path("work")
        let result = try await call.run()
        guard result.errorText.isEmpty else { throw FixtureError(result.errorText) }
        return result.text.split(separator: "\n").map(String.init)
    }
}
