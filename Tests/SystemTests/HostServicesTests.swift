import System
import TestSupport
import Testing

@Suite struct HostServicesTests {
    private func areBuiltIn(_ text: String) throws -> Bool {
        let scratch = try ScratchDirectory()
        return HostServices(file: try scratch.write(text, to: "nsswitch.conf")).areBuiltIn
    }

    @Test(arguments: [
        "hosts: files dns\npasswd: files sss\n",
        "hosts:dns files",
        "\thosts :\tfiles [ !UNAVAIL = return ] dns # resolve\n",
        "# hosts: resolve\npasswd: files systemd\n",
    ])
    func `only files and DNS are built in`(text: String) throws {
        #expect(try areBuiltIn(text))
    }

    @Test(arguments: [
        "hosts: files mdns4_minimal [NOTFOUND=return] dns\n",
        "passwd: files\nhosts: files dns myhostname\n",
        "hosts:resolve[!UNAVAIL=return] files\n",
    ])
    func `any other service is a module`(text: String) throws {
        #expect(try !areBuiltIn(text))
    }

    @Test func `without a file, the default is built in`() {
        #expect(HostServices(file: "/nonexistent/nsswitch.conf").areBuiltIn)
    }
}
