import Core
import Glibc
import System
import TestSupport
import Testing

@Suite struct AccountTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("+::::::\nroot:x:0:0::/root:/bin/bash\nann:x:1000:1000:Ann,,,:/home/ann:\n", to: "passwd")
        let script = "[ \"$*\" = 'passwd -- 2000' ] && echo 'bob:x:2000:2000::/home/bob:/bin/zsh'"
        try scratch.write("#!/bin/sh\n\(script)\n", to: "getent", mode: 0o755)
    }

    private func users(getent: String) -> AccountDatabase {
        AccountDatabase(
            name: "passwd",
            file: scratch.path("passwd"),
            getent: Getent(program: ByteString(scratch.path(getent)))
        )
    }

    private func find(_ id: UInt32, getent: String = "getent", _ environment: [String: String] = [:]) -> Account? {
        Account.find(id, in: users(getent: getent), environment: Environment(environment))
    }

    @Test func `an entry in the file is used without running getent`() {
        #expect(find(0, getent: "none") == Account(name: "root", home: "/root", shell: "/bin/bash"))
        #expect(find(1000, getent: "none") == Account(name: "ann", home: "/home/ann", shell: "/bin/sh"))
    }

    @Test func `a user from another service is found with getent`() {
        #expect(find(2000) == Account(name: "bob", home: "/home/bob", shell: "/bin/zsh"))
    }

    @Test(arguments: ["getent", "none"])
    func `a user without an entry is described by the environment`(getent: String) {
        #expect(find(3000, getent: getent) == nil)
        #expect(find(3000, getent: getent, ["USER": "eve", "HOME": "/e"]) == Account(name: "eve", home: "/e"))
        let variables = ["LOGNAME": "eve", "HOME": "/e", "SHELL": "/bin/ksh"]
        #expect(find(3000, getent: getent, variables) == Account(name: "eve", home: "/e", shell: "/bin/ksh"))
    }

    @Test func `the user running the tests is the one that getent reports`() async throws {
        let line = try await ProgramCall("getent", ["passwd", "\(getuid())"]).check()
        let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let account = try #require(Account.current())
        #expect([account.name, account.home] == [fields[0], fields[5]])
    }
}
