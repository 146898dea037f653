import CommandLine
import TestSupport

/// The completions of the sample table in a directory of their own, with a `vt` that answers `vt complete`.
struct CompletionFixture {
    let scratch: ScratchDirectory

    private static let answering = """
        #!/bin/sh
        [ "$1 $3" = 'complete --' ] || exit 64
        case $2 in
        profiles) names='web web-2 db' ;;
        targets) names='web web-2 db local' ;;
        tags) names='eu us' ;;
        hosts) names='web.example db.example' ;;
        esac
        prefix=${4%"${4##*,}"}
        for name in $names; do
            case $prefix$name in "$4"*) printf '%s\\n' "$prefix$name" ;; esac
        done
        """

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write(Self.answering, to: "bin/vt", mode: 0o755)
        for file in GeneratedFile.all(of: SampleTree.tree) { try scratch.write(file.text, to: file.path) }
        try scratch.write("", to: "work/notes.txt")
        try scratch.write("", to: "work/new/inner")
    }

    /// Runs a shell in a directory with a file and a directory, and returns the lines that it prints.
    func lines(_ shell: String, _ arguments: [String]) async throws -> [String] {
        var call = ProgramCall(shell, arguments)
        call.environment["PATH"] = scratch.path("bin") + ":" + (call.environment["PATH"] ?? "")
        call.environment["HOME"] = scratch.path
        call.environment["TERM"] = "dumb"
        call.directory = scratch.path("work")
        let result = try await call.run()
        guard result.errorText.isEmpty else { throw FixtureError(result.errorText) }
        return result.text.split(separator: "\n").map(String.init)
    }
}
