import Core
@testable import Services
import Testing

/// The names of incomplete files.
@Suite struct TemporaryPathTests {
    @Test(arguments: [("/a/b", "/a/.b.vt-1"), ("b", "./.b.vt-1"), ("/b", "/.b.vt-1")])
    func `a name is in the directory of the file`(path: String, temporary: String) {
        #expect(ByteString(path).temporaryPath(ending: "1").text == temporary)
    }

    @Test func `long names are cut, and remain different`() {
        let start = String(repeating: "x", count: 254)
        let names = ["a", "b"].map { ByteString(start + $0).temporaryPath(ending: "1").lastName }
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.bytes.count <= 255 })
    }
}
