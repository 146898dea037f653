import Foundation
import TestSupport
import Testing

struct LayeringTests {
    @Test func `the directories in Sources are the modules of the graph`() throws {
        let folders = Set(try SourceFile.all(below: "Sources").map(\.module))
        #expect(folders == Set(ModuleGraph.modules.map(\.name)))
    }

    @Test(arguments: ModuleGraph.modules)
    func `a module imports only modules that the graph allows`(_ module: ModuleGraph.Module) throws {
        let allowed = module.uses.union(module.external).union(ModuleGraph.standardLibrary)
        for file in try SourceFile.all(below: "Sources/\(module.name)") {
            #expect(Set(file.imports).subtracting(allowed).isEmpty, "\(file.path)")
        }
    }

    @Test func `the graph has no upward edges`() {
        var below: Set<String> = ["CKeyStream", "CLibCrypto", "CLibSSH2", "CPTY", "CZlib"]
        for module in ModuleGraph.modules {
            #expect(module.uses.isSubset(of: below), "\(module.name)")
            below.insert(module.name)
        }
    }

    @Test(arguments: ModuleGraph.modules)
    func `folders of a module do not use each other's types in a cycle`(_ module: ModuleGraph.Module) throws {
        let files = try SourceFile.all(below: "Sources/\(module.name)")
        #expect(FolderGraph(files).cycles == [])
    }

    @Test func `the folder graph finds a cycle`() {
        let files = [
            SourceFile(path: "Sources/M/A/X.swift", lines: ["struct X {", "    var y: Y // Z", "}"]),
            SourceFile(path: "Sources/M/B/Y.swift", lines: ["package struct Y {}", "let text = \"X\""]),
            SourceFile(path: "Sources/M/B/Deep/Z.swift", lines: ["final class Z {", "    let x: X?", "}"]),
        ]
        #expect(FolderGraph(Array(files.dropLast())).cycles == [])
        #expect(FolderGraph(files).cycles == ["Sources/M/A/X.swift: Y", "Sources/M/B/Deep/Z.swift: X"])
    }

    @Test func `no file imports Foundation, and only JSON code imports FoundationEssentials`() throws {
        for file in try SourceFile.all(below: "Sources") {
            #expect(!file.imports.contains("Foundation"), "\(file.path)")
            let codesJSON = ModuleGraph.jsonFolders.contains { file.path.hasPrefix($0) }
            #expect(codesJSON || !file.imports.contains("FoundationEssentials"), "\(file.path)")
        }
    }

    /// A task without an executor, and a clock of the standard library, use threads of libdispatch, which traps if no
    /// descriptors are left; a blocked thread stops every task on it.
    @Test(arguments: [
        (word: "Task", pattern: #"\bTask(\.detached|\.init)? *(\{|\((?!executorPreference:))"#, home: ""),
        ("Task.sleep", #"\bTask\.sleep\b"#, ""),
        ("Clock()", #"\b(Continuous|Suspending)Clock\(\)"#, ""),
        ("sleep(", #"(^|[^.\w])(u|nano)?sleep\("#, "Sources/POSIX/Threads/ThreadPause.swift"),
    ])
    func `tasks and pauses start and block no thread`(_ word: String, _ pattern: String, home: String) throws {
        let pattern = try Regex(pattern)
        for file in try SourceFile.all(below: "Sources") where file.path != home {
            // Fast path: regular expressions are slow.
            let lines = file.lines.filter { $0.contains(word) && $0.contains(pattern) }
                .filter { !$0.contains("//") && !$0.contains("func sleep(") }
            #expect(lines == [], "\(file.path)")
        }
    }

    @Test(arguments: ["Sources", "Tests"])
    func `no file exceeds the maximum length`(_ directory: String) throws {
        for file in try SourceFile.all(below: directory) {
            #expect(file.lines.count <= ModuleGraph.lineCeiling, "\(file.path)")
        }
    }

    @Test(arguments: ModuleGraph.modules)
    func `the package manifest matches the graph`(_ module: ModuleGraph.Module) throws {
        let manifest = try String(contentsOfFile: "\(TestTree.root)/Package.swift", encoding: .utf8)
        let pattern = try Regex(#"name: "\#(module.name)"(?:,\s*dependencies: \[([^\]]*)\])?,\s*swiftSettings"#)
        let declaration = try #require(try pattern.firstMatch(in: manifest))
        let list = String(declaration.output[1].substring ?? "")
        let names = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
        #expect(names.isSubset(of: module.uses))
        let imported = try SourceFile.all(below: "Sources/\(module.name)").flatMap(\.imports)
        #expect(names.isSuperset(of: module.uses.intersection(imported)))
    }

    @Test(arguments: ["architecture", "contributing", "glossary"])
    func `the types named in a document exist`(_ name: String) throws {
        let text = try String(contentsOfFile: "\(TestTree.root)/docs/\(name).md", encoding: .utf8)
        let named = Set(text.matches(of: /`([A-Z][a-z]\w*[A-Z]\w*)`/).map { String($0.1) })
        let files = try ["Sources", "Tests"].flatMap { try SourceFile.all(below: $0) }
        var declared: Set<String> = []
        for line in files.flatMap(\.lines) {
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            let kinds: Set = ["struct", "class", "enum", "protocol", "actor"]
            guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { continue }
            declared.insert(words[kind + 1])
        }
        #expect(named.subtracting(declared).sorted() == [])
    }

    @Test func `the import parser handles every form of import`() {
        let text = [
            "import A", "@testable import B", "package import C", "import struct D.X", "// import E", "import F  ",
        ]
        let file = SourceFile(path: "Sources/X/Y.swift", lines: text.map { $0[...] })
        #expect(file.imports == ["A", "B", "C", "D", "F"])
    }
}
