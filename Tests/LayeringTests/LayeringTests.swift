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
        var below: Set<String> = ["CGuardedSSH2", "CLibCrypto", "CLibSSH2", "CLibSSL", "CLinux", "CZlib"]
        for module in ModuleGraph.modules {
            #expect(module.uses.isSubset(of: below), "\(module.name)")
            below.insert(module.name)
        }
    }

    @Test func `no file imports Foundation`() throws {
        for file in try SourceFile.all(below: "Sources") {
            #expect(file.imports.filter { $0.hasPrefix("Foundation") }.isEmpty, "\(file.path)")
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
        let declared = #"name: "\#(module.name)"(?:,\s*dependencies: \[([^\]]*)\])?,"#
        let pattern = try Regex(declared + #"\s*(?:resources: [^\n]*\s*)?swiftSettings"#)
        let declaration = try #require(try pattern.firstMatch(in: manifest))
        let list = String(declaration.output[1].substring ?? "")
        let names = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
        #expect(names.isSubset(of: module.uses))
        let imported = try SourceFile.all(below: "Sources/\(module.name)").flatMap(\.imports)
        #expect(names.isSuperset(of: module.uses.intersection(imported)))
    }

    @Test(arguments: ["architecture", "contributing", "glossary"])
    func `the types and folders named in a document exist`(_ name: String) throws {
        let text = try String(contentsOfFile: "\(TestTree.root)/docs/\(name).md", encoding: .utf8)
        let named = Set(text.matches(of: /`([A-Z][a-z]\w*[A-Z]\w*)`/).map { String($0.1) })
        #expect(named.subtracting(try Self.declaredTypes.get()).sorted() == [])
    }

    private static let declaredTypes = Result {
        let files = try ["Sources", "Tests"].flatMap { try SourceFile.all(below: $0) }
        let declarations = files.flatMap { FileSymbols($0).declarations }
        let types = declarations.filter { FileSymbols.typeKeywords.contains($0.keyword) }.map(\.name)
        return Set(types + files.flatMap { $0.path.split(separator: "/").dropLast().map(String.init) })
    }

    @Test func `the import parser handles every form of import`() {
        let text = [
            "import A", "@testable import B", "package import C", "import struct D.X", "// import E", "import F  ",
        ]
        let file = SourceFile(path: "Sources/X/Y.swift", lines: text.map { $0[...] })
        #expect(file.imports == ["A", "B", "C", "D", "F"])
    }
}
