@testable import Commands
import Core
import Testing

/// The files on the command lines of `vt copy`, `vt ls` and `vt cat`.
@Suite struct FileOperandTests {
    @Test(arguments: [
        ("web:/a", "web", "/a"), ("web:", "web", "."), ("web:~", "web", "."), ("web:~/a/b", "web", "a/b"),
        ("web:a:b", "web", "a:b"), ("ann@web:a", "ann@web", "a"), ("ann@[::1]:a", "ann@[::1]", "a"),
        ("local:a", "local", "a"), ("web:./~ann/a", "web", "./~ann/a"), (":a", "", "a"), (":", "", "."),
        ("a,b*:c", "a,b*", "c"), ("@a:b", "@a", "b"), ("@/a/b:c/d", "@/a/b", "c/d"), ("@./a:", "@./a", "."),
    ])
    func `a path on a machine`(word: String, target: String, path: String) throws {
        let operand = try FileOperand(parsing: ByteString(word))
        #expect(operand.target == target)
        #expect(operand.path.text == path)
    }

    @Test(arguments: [
        ("ssh://root@h:27022/etc/hostname", "ssh://root@h:27022", "/etc/hostname"), ("ssh://h", "ssh://h", "."),
        ("ssh://h/", "ssh://h", "/"), ("ssh://h/~/a", "ssh://h", "a"), ("ssh://h/~", "ssh://h", "."),
        ("ssh://a%40b@[::1]:22/x%20y%25:z", "ssh://a%40b@[::1]:22", "/x y%:z"),
    ])
    func `a URL`(word: String, target: String, path: String) throws {
        let operand = try FileOperand(parsing: ByteString(word))
        #expect(operand.target == target)
        #expect(operand.path.text == path)
    }

    @Test(arguments: ["ssh://h/%", "ssh://h/%4", "ssh://h/%zz", "ssh://h/%00", "ssh://h/~ann/a"])
    func `a malformed path in a URL is rejected`(word: String) throws {
        let error = #expect(throws: VTError.self) { try FileOperand(parsing: ByteString(word)) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: ["web:~ann/a", "web:~ann", ":~+/a"])
    func `the home directory of another user is rejected`(word: String) throws {
        let error = #expect(throws: VTError.self) { try FileOperand(parsing: ByteString(word)) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: ["a", "./a:b", "/a:b", "a/b:c", "./:a", "-", "~/a", "@a/b"])
    func `a path on this machine`(word: String) throws {
        let operand = try FileOperand(parsing: ByteString(word))
        #expect(operand.target == nil)
        #expect(operand.path.text == word)
    }
}
