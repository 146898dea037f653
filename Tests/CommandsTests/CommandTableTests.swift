import Arguments
import Commands
import Core
import Foundation
import TestSupport
import Testing

@Suite struct CommandTableTests {
    private static let specs = CommandTable.all.map { $0.type.spec }
    private static let names = specs.map(\.name)

    private func spec(_ name: String) throws -> CommandSpec {
        try #require(Self.specs.first { $0.name == name })
    }

    @Test func `names are unique and no command is also a group`() {
        #expect(Set(Self.names).count == Self.names.count)
        for spec in Self.specs {
            #expect((1...2).contains(spec.path.count), "\(spec.name)")
            #expect(spec.path.count == 2 || !CommandTable.tree.isGroup(spec.name), "\(spec.name)")
        }
    }

    @Test(arguments: CommandTable.all) func `the table gives each command the name in its spec`(_ command: NamedCommand)
    {
        #expect(command.name == command.type.spec.name)
    }

    @Test func `every group has a summary`() {
        let groups = Set(Self.specs.filter { $0.path.count == 2 }.map { $0.path[0] })
        #expect(groups.isSubset(of: Set(CommandTable.groups.map(\.name))))
    }

    @Test func `every command is under exactly one heading`() {
        let tree = CommandTable.tree
        #expect(tree.overview.sections.flatMap(\.words) == tree.firstWords)
        #expect(tree.commandsBySection.flatMap(\.commands).map(\.name) == tree.visibleCommands.map(\.name))
    }

    @Test func `pages of the documentation exist, and belong to commands`() {
        let tree = CommandTable.tree
        for (name, pages) in tree.overview.guides {
            #expect(name.isEmpty || tree.firstWords.contains(name) || Self.names.contains(name), "\(name)")
            for page in pages {
                #expect(FileManager.default.fileExists(atPath: "\(TestTree.root)/docs/\(page)"), "\(page)")
            }
        }
    }

    @Test(arguments: names)
    func `help has a few common options, and topics that exist`(name: String) throws {
        let spec = try spec(name)
        #expect(spec.commonOptions.count <= 5)
        #expect(Set(spec.commonOptions).isSubset(of: spec.options.map(\.long)))
        let topics = CommandTable.tree.overview.topics.map(\.name) + Self.names
        for topic in spec.options.compactMap(\.topic) { #expect(topics.contains(topic), "\(topic)") }
        let names = spec.options.map(\.long) + spec.options.compactMap(\.formerName)
        #expect(Set(names).count == names.count)
        #expect(spec.description.first?.hasPrefix("# ") != true)
        #expect(spec.description.last?.hasPrefix("# ") != true)
    }

    @Test(arguments: names)
    func `all text is ASCII and follows the style rules`(name: String) throws {
        let spec = try spec(name)
        let phrases = [spec.summary] + spec.options.map(\.summary) + spec.examples.map(\.summary)
        for phrase in phrases {
            #expect(!phrase.isEmpty && !phrase.hasSuffix("."), "\(phrase)")
            #expect(phrase.first?.isUppercase == false || phrase.prefix(2).allSatisfy(\.isUppercase), "\(phrase)")
        }
        for sentence in spec.description + spec.options.compactMap(\.details) {
            if sentence.hasPrefix("    ") || sentence.hasPrefix("# ") { continue }
            #expect(sentence.hasSuffix(".") || sentence.hasSuffix(":"), "\(sentence)")
        }
        let all = phrases + spec.description + spec.options.compactMap(\.details) + spec.examples.map(\.command)
        #expect(all.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7f).contains($0) } })
    }

    @Test(arguments: names)
    func `option names are unique`(name: String) throws {
        let options = try spec(name).options + CommandTable.tree.globalOptions
        let longs = options.map(\.long)
        let shorts = options.compactMap(\.short)
        #expect(Set(longs).count == longs.count)
        #expect(Set(shorts).count == shorts.count)
        #expect(longs.allSatisfy { $0.count > 1 && $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } })
        #expect(!longs.contains("version"))
    }

    @Test(arguments: names)
    func `options refer to existing options`(name: String) throws {
        let spec = try spec(name)
        let longs = Set((spec.options + CommandTable.tree.globalOptions).map(\.long))
        #expect(spec.options.allSatisfy { longs.isSuperset(of: $0.excludes) && !$0.excludes.contains($0.long) })
        for (index, operand) in spec.operands.enumerated() {
            #expect(longs.isSuperset(of: operand.omittedWith))
            let canBeOmitted = index == 0 || index == spec.operands.count - 1
            #expect(operand.omittedWith.isEmpty || canBeOmitted, "only the first and the last operand can be omitted")
        }
    }

    @Test(arguments: names)
    func `values have placeholders in capitals, and their default is a valid choice`(name: String) throws {
        let spec = try spec(name)
        for value in spec.options.compactMap(\.value) {
            #expect(value.placeholder.wholeMatch(of: /[A-Z]+(=[A-Z]+)?|COLSxROWS/) != nil, "\(value.placeholder)")
            guard !value.choices.isEmpty, let text = value.defaultText else { continue }
            #expect(value.choices.contains(text), "\(text)")
        }
        let placeholders = spec.operands.map(\.placeholder)
        #expect(Set(placeholders).count == placeholders.count)
        #expect(spec.operands.dropLast().allSatisfy { $0.arity != .commandWords })
        let several = spec.operands.filter { $0.arity == .oneOrMore || $0.arity == .zeroOrMore }
        #expect(several.count <= 1, "with two lists, the parser cannot tell where the first one ends")
    }

    @Test(arguments: names)
    func `every command has a description and an example`(name: String) throws {
        let spec = try spec(name)
        #expect(!spec.description.isEmpty)
        #expect(!spec.examples.isEmpty)
        #expect(Set(spec.exitCodes).count == spec.exitCodes.count)
        #expect(spec.summary.utf8.count <= 60, "the list of commands has one line for each command")
    }
}
