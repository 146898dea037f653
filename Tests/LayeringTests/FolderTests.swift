import Foundation
import TestSupport
import Testing

struct FolderTests {
    /// The files of each module; reading them takes seconds.
    private static let modules = Result {
        Dictionary(grouping: try SourceFile.all(below: "Sources").map(FileSymbols.init), by: \.module)
    }

    private static func graph(of module: ModuleGraph.Module) throws -> FolderGraph {
        let modules = try modules.get()
        return FolderGraph(modules[module.name, default: []], lower: module.uses.flatMap { modules[$0, default: []] })
    }

    @Test(arguments: ModuleGraph.modules)
    func `folders of a module do not use each other in a circle`(_ module: ModuleGraph.Module) throws {
        #expect(try Self.graph(of: module).circles == [])
    }

    @Test func `the architecture names the modules, and the folders of large ones`() throws {
        let text = try String(contentsOfFile: "\(TestTree.root)/docs/architecture.md", encoding: .utf8)
        let picture = try #require(text.firstMatch(of: /!\[([^\]]*)\]\(modules\.svg\)/))
        let words = Set(picture.1.matches(of: /\w+/).map { String($0.0) })
        #expect(words.isSuperset(of: ModuleGraph.modules.map(\.name)))
        let tables = text.matches(of: /\| folder of (\w+) \|[^\n]*\n((\|[^\n]*\n)+)/)
        #expect(tables.map { String($0.1) } == ["Services", "SessionHost", "SecureShell", "Core"])
        for table in tables {
            let cells = table.2.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "|").first }
            let folders = cells.flatMap { $0.matches(of: /`([\w\/]+)`/) }.map { "\(table.1)/\($0.1)" }
            let rooms = Set(try Self.modules.get()[String(table.1), default: []].map(\.room))
            #expect(folders.sorted() == rooms.subtracting([String(table.1)]).sorted())
        }
    }

    /// `make sizes` draws the picture.
    @Test func `the picture of the modules is up to date`() throws {
        #expect(ModuleDrawing.boxes.map(\.name).sorted() == ModuleGraph.modules.map(\.name).sorted())
        let path = "\(TestTree.root)/docs/modules.svg"
        if ProcessInfo.processInfo.environment["VT_SIZES"] != nil {
            try ModuleDrawing.svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let isCurrent = try String(contentsOfFile: path, encoding: .utf8) == ModuleDrawing.svg
        #expect(isCurrent, "to draw it again, run 'make sizes'")
    }

    @Test func `types that use each other are a circle`() {
        let files = Self.files([
            "A/X": "struct X {\n var y: Y // Z\n}", "B/Y": "package struct Y {}\nlet text = \"X\"",
        ])
        #expect(FolderGraph(files).circles == [])
        let circle = FolderGraph(files + Self.files(["B/Z": "final class Z {\n let x: X?\n}"])).circles
        #expect(circle == ["M/A ↔ M/B\n  M/A → M/B: Sources/M/A/X.swift: Y\n  M/B → M/A: Sources/M/B/Z.swift: X"])
    }

    @Test func `a folder and its subfolder can be a circle`() {
        let files = Self.files(["A/X": "struct X { let y: Y }", "A/B/Y": "struct Y { let x: [X] }"])
        #expect(FolderGraph(files).circles.map(Self.rooms) == ["M/A ↔ M/A/B"])
    }

    @Test func `folders that use each other only through their subfolders are a circle`() {
        let files = Self.files([
            "A/C/X": "struct X { let y: Y }", "B/Y": "struct Y {}", "B/D/Z": "struct Z { let w: W }",
            "A/W": "struct W {}",
        ])
        #expect(FolderGraph(files).circles.map(Self.rooms) == ["M/A ↔ M/B"])
    }

    @Test(arguments: [
        #"let text = "a \(X.name) b""#, ##"let text = #"a \#(X.name) b"#"##,
        "let text = \"\"\"\n  a \"\\(y(\")\", X.self))\n  \"\"\"",
    ])
    func `an interpolation uses types`(_ text: String) {
        let files = Self.files(["A/X": "struct X { let y: Y }", "B/Y": "struct Y {}\n\(text)"])
        #expect(FolderGraph(files).circles.map(Self.rooms) == ["M/A ↔ M/B"])
    }

    @Test(arguments: [
        "// \\(X.self)", "/* X */", #"let text = "\" X""#, ##"let text = #"\(X.self)"#"##, "\"\"\"\n X \"X\" \n\"\"\"",
    ])
    func `comments and text use nothing`(_ text: String) {
        let files = Self.files(["A/X": "struct X { let y: Y }", "B/Y": "struct Y {}\n\(text)"])
        #expect(FolderGraph(files).circles == [])
    }

    @Test(arguments: ["func f(_ y: String) { y.trimmed }", "extension String {\n var short: String { trimmed() }\n}"])
    func `the use of a member of an extension is a use of its folder`(_ use: String) {
        let member = "extension String {\n func trimmed() -> String { \"\" }\n}\nstruct X { let y: Y }"
        let files = Self.files(["A/X": member, "B/Y": "struct Y {}\n\(use)"])
        #expect(FolderGraph(files).circles.map(Self.rooms) == ["M/A ↔ M/B"])
        // With another declaration of the name, the use is ambiguous.
        let others = Self.files(["C/Z": "struct Z {\n private(set) var trimmed = 0\n}"])
        #expect(FolderGraph(files + others).circles == [])
        #expect(FolderGraph(files, lower: others).circles == [])
    }

    /// `make sizes` sets the variable.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VT_SIZES"] != nil))
    func `print the sizes of the folders`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["VT_SIZES"])
        let files = try Self.modules.get().values.joined()
        var text = Self.row("Sources", files.map { $0 })
        for (room, files) in Dictionary(grouping: files, by: \.room).sorted(by: { $0.key < $1.key }) {
            text += Self.row(room, files)
        }
        let circles = try ModuleGraph.modules.flatMap { try Self.graph(of: $0).circles }
        text += "\(circles.count) circles\n" + circles.map { $0 + "\n" }.joined()
        try "  lines  types  files  folder\n\(text)".write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func row(_ name: String, _ files: [FileSymbols]) -> String {
        let lines = files.map(\.lineCount).reduce(0, +)
        let types = files.map(\.topLevelTypes.count).reduce(0, +)
        let numbers = [lines, types, files.count].map { number in
            String(repeating: " ", count: 7 - "\(number)".count) + "\(number)"
        }
        return numbers.joined() + "  \(name)\n"
    }

    private static func rooms(_ circle: String) -> String {
        circle.split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func files(_ texts: KeyValuePairs<String, String>) -> [FileSymbols] {
        texts.map { path, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return FileSymbols(SourceFile(path: "Sources/M/\(path).swift", lines: lines))
        }
    }
}
