import Core
import Foundation
import TestSupport
import Testing

/// Runs commands of documents in order, on a machine of their own with the servers that the documents describe.
struct DocumentRun {
    let commands: [DocumentCommand]
    let results: [CommandResult]

    /// `fixture` is the script in the directory Support that makes what the commands need.
    init(_ commands: [DocumentCommand], with fixture: String) async throws {
        let scratch = try ScratchDirectory()
        for (number, command) in commands.enumerated() {
            try scratch.write(command.text + "\n", to: "\(number).sh")
        }
        if commands.contains(where: { $0.text.contains("vt-aarch64") }) {
            try ScratchDirectory.copyProgram(try await SmallProgram.path(), to: scratch.path("vt-aarch64"))
        }
        let script = "\(TestTree.root)/Tests/Documents/Support/run.sh"
        let namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        // In a session of its own, as on a machine: sessions would end with the first process of the namespace.
        let words = ["bash", "-c", #"setsid --wait "$0" "$@"; exit $?"#, script, scratch.path, TestTree.vt, fixture]
        let run = try await ProgramCall("unshare", namespaces + words).run()
        try #require(run.status == .exited(0), "\(run.errorText)")
        self.commands = commands
        results = try commands.indices.map { try CommandResult(number: $0, in: scratch.path) }
    }

    /// Expects each command to exit with the status in `statuses`, by the last line of the command, or 0; without an
    /// error on standard error, and with the output that the document shows.
    func expectSuccess(except statuses: [String: Int32] = [:]) throws {
        for (command, result) in zip(commands, results) {
            let lastLine = command.text.split(separator: "\n").last.map(String.init) ?? ""
            let status = statuses[lastLine] ?? 0
            #expect(result.exit == status, "\(command): \(result.messages)")
            let errors = result.messages.filter { status == 0 ? Self.isError($0) : $0.hasPrefix("run.sh: ") }
            #expect(errors.isEmpty, "\(command)")
            if !command.output.isEmpty {
                #expect(try result.matches(command.output), "\(command)\n\(result.output)\n\(result.messages)")
            }
        }
    }

    /// Whether a line of standard error is an error, and not a note.
    private static func isError(_ line: String) -> Bool {
        let codes = VTError.Code.allCases.map { " (\($0.rawValue))" }
        return line.hasPrefix("run.sh: ") || line.contains(": command not found") || line.hasPrefix("Traceback ")
            || line.hasPrefix("vt: ") && codes.contains { line.hasSuffix($0) }
    }
}
