import Arguments
import Commands
import Foundation
import TestSupport
import Testing

@Suite struct GeneratedFilesTests {
    private static let files = GeneratedFile.all(of: CommandTable.tree)

    @Test(arguments: files.map(\.path))
    func `a checked-in file matches the output generated from the command table`(path: String) throws {
        let rendered = try #require(Self.files.first { $0.path == path }).text
        let url = URL(fileURLWithPath: "\(TestTree.root)/\(path)")
        let onDisk = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
        #expect(onDisk == rendered, "\(path) differs from what the source code generates: run 'make generate'")
    }

    @Test(arguments: ["man", "completions"])
    func `the directory contains only generated files`(directory: String) throws {
        let present = try FileManager.default.contentsOfDirectory(atPath: "\(TestTree.root)/\(directory)")
        let known = Set(Self.files.map(\.path))
        let others = present.map { "\(directory)/\($0)" }.filter { !known.contains($0) }
        #expect(others == [], "these files belong to no command: remove them")
    }

    @Test func `mandoc finds no errors in the manual pages`() async throws {
        let scratch = try ScratchDirectory()
        var paths: [String] = []
        for file in Self.files where file.path.hasPrefix("man/") {
            paths.append(try scratch.write(file.text, to: file.path))
        }
        let result = try await ProgramCall("/usr/bin/mandoc", ["-T", "lint", "-W", "style"] + paths).run()
        // The pages refer to each other, but might not be installed on this machine.
        let faults = result.text.split(separator: "\n").filter { !$0.contains("referenced manual not found: Xr vt") }
        #expect(faults == [])
        #expect(result.errorText == "")
    }

    @Test(arguments: [("/bin/bash", "vt.bash"), ("/usr/bin/zsh", "_vt"), ("/usr/bin/fish", "vt.fish")])
    func `a shell can parse its completion script`(shell: String, name: String) async throws {
        let scratch = try ScratchDirectory()
        let file = try #require(Self.files.first { $0.path == "completions/\(name)" })
        let path = try scratch.write(file.text, to: name)
        let result = try await ProgramCall(shell, ["-n", path], environment: ["HOME": scratch.path]).run()
        #expect(result.exit == 0)
        #expect(result.errorText == "")
    }

    @Test func `generate writes all generated files`() async throws {
        let scratch = try ScratchDirectory()
        try scratch.makeDirectory("man")
        try scratch.makeDirectory("completions")
        try scratch.makeDirectory("docs")
        #expect(await RunFixture().run("generate \(scratch.path)") == 0)
        for file in Self.files {
            #expect(String(decoding: try scratch.read(file.path), as: UTF8.self) == file.text)
        }
        #expect(await RunFixture().run("generate \(scratch.path("nowhere"))") == 66)
    }
}
