import Core
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct FileProfileStoreTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.path("vt/profiles.json") }
    private var store: FileProfileStore { FileProfileStore(path: path) }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func text() throws -> String {
        String(decoding: try scratch.read("vt/profiles.json"), as: UTF8.self)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a store that was never written is empty, and reading creates nothing`() throws {
        #expect(try store.load().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    }

    @Test func `reads back what was written`() throws {
        let profile = try Profile.complete(name: "web")
        try store.add(profile)
        #expect(try store.load() == ["web": profile])
    }

    @Test(.asRoot) func `rejects a file of another user and a directory that others can write to`() throws {
        try store.add(try Profile.plain("web"))
        chown(path, 65_534, gid_t.max)
        let error = #expect(throws: VTError.self) { try store.load() }
        #expect(error?.code == .config)
        #expect(throws: VTError.self) { try store.add(try Profile.plain("db")) }
        chown(path, geteuid(), gid_t.max)
        chmod(scratch.path("vt"), 0o777)
        #expect(throws: VTError.self) { try store.load() }
        #expect(throws: VTError.self) { try store.add(try Profile.plain("db")) }
    }

    @Test func `file and directory are accessible only to their owner`() throws {
        try store.add(try Profile.plain("web"))
        #expect(try mode(path) == 0o600)
        #expect(try mode(scratch.path("vt")) == 0o700)
    }

    @Test func `writes nothing if nothing changes or the change fails`() throws {
        let text = #"{"schema":1,"profiles":{}}"#
        try scratch.write(text, to: "vt/profiles.json")
        try store.update { _ in }
        #expect(throws: VTError(.exists, "no")) {
            try store.update { profiles throws(VTError) in
                profiles["a"] = Profile(id: "1", name: try ProfileName("a"), host: "h", createdAt: .now())
                throw VTError(.exists, "no")
            }
        }
        #expect(try self.text() == text)
    }

    @Test func `the changes of twenty simultaneous writers are all kept`() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { try store.add(try Profile.plain("p\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(try store.load().count == 20)
    }

    @Test func `a held lock is reported as busy`() throws {
        try store.add(try Profile.plain("web"))
        let hasty = FileProfileStore(path: path, lockTimeout: .milliseconds(20))
        let failure = #expect(throws: VTError.self) {
            try store.update { _ throws(VTError) in try hasty.update { $0.removeAll() } }
        }
        #expect(failure?.code == .busy)
        #expect(try store.load().count == 1)
    }

    @Test func `replaces the target of a symbolic link in place`() throws {
        try scratch.write(#"{"schema":1,"profiles":{}}"#, to: "dotfiles/profiles.json")
        try scratch.makeDirectory("vt")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../dotfiles/profiles.json")
        try store.add(try Profile.plain("web"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../dotfiles/profiles.json")
        #expect(try FileProfileStore(path: scratch.path("dotfiles/profiles.json")).load().count == 1)
    }
}

extension FileProfileStore {
    func add(_ profile: Profile) throws(VTError) {
        try update { $0[profile.name] = profile }
    }
}
