import Core
import CoreTestSupport
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct FileKeyStoreTests {
    private let scratch: ScratchDirectory
    private let store: FileKeyStore

    init() throws {
        scratch = try ScratchDirectory()
        store = FileKeyStore(directory: scratch.path("state/keys"))
    }

    private func pair(_ text: String = "private\n") throws -> KeyPair {
        var blob: [UInt8] = []
        blob.appendString(Array("ssh-ed25519".utf8))
        blob.appendString([UInt8](repeating: 7, count: 32))
        let key = try #require(PublicKey(blob: blob, comment: "c"))
        return KeyPair(privateKey: try Secret(Array(text.utf8)), publicKey: key, isEncrypted: false)
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch.path(name))[.posixPermissions] as? Int
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path("state/keys")).sorted() }
    }

    @Test func `writes private files`() throws {
        try store.add(try pair(), as: try StoredKeyName("k"))
        #expect(try mode("state/keys") == 0o700)
        #expect(try mode("state/keys/k") == 0o600)
        #expect(try mode("state/keys/k.pub") == 0o644)
        #expect(try files == ["k", "k.pub"])
        #expect(try store.names() == ["k"])
        #expect(try store.read("k")?.publicLine?.hasSuffix(" c\n") == true)
    }

    @Test(arguments: ["k", "k.pub"])
    func `does not replace a file, and leaves none behind`(_ name: String) throws {
        try scratch.write("mine", to: "state/keys/\(name)", mode: 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.path("state/keys"))
        let error = #expect(throws: VTError.self) { try store.add(try pair(), as: try StoredKeyName("k")) }
        #expect(error?.code == .exists)
        #expect(try files == [name])
        #expect(try scratch.read("state/keys/\(name)") == Array("mine".utf8))
    }

    @Test func `only one of many processes that add a key succeeds`() async throws {
        let store = store
        let name = try StoredKeyName("k")
        let pairs = try (0..<20).map { try pair("private \($0)\n") }
        let added = await withTaskGroup(of: Int.self) { group in
            for pair in pairs {
                group.addTask { (try? store.add(pair, as: name)) == nil ? 0 : 1 }
            }
            return await group.reduce(0, +)
        }
        #expect(added == 1)
        #expect(try files == ["k", "k.pub"])
    }

    @Test func `names that are not key names are neither listed nor read`() throws {
        try store.add(try pair(), as: try StoredKeyName("k"))
        try scratch.write("x", to: "state/keys/.hidden")
        #expect(try store.names() == ["k"])
        #expect(try store.read("k.pub")?.publicLine == nil)
        #expect(try store.read("../keys/k")?.publicLine == nil)
        try store.remove("k")
        #expect(try store.names().isEmpty)
    }
}
