import Core
import Foundation
import NIOCore
import System
import TestSupport
import Testing
@testable import SecureShell

@Suite struct HostResolverTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("hosts: files myhostname\n", to: "modules")
    }

    /// A resolver that must use `getent`, a shell script; without a script, there is no getent.
    private func resolver(getent script: String? = nil) throws -> HostResolver {
        if let script {
            let text = "#!/bin/sh\necho \"$@\" >>\(scratch.path("calls"))\n\(script)\n"
            try scratch.write(text, to: "getent", mode: 0o755)
        }
        return HostResolver(
            services: HostServices(file: scratch.path("modules")),
            getent: Getent(program: ByteString(scratch.path("getent")))
        )
    }

    private var calls: String { text(of: "calls") }

    private func text(of name: String) -> String {
        (try? String(contentsOfFile: scratch.path(name), encoding: .utf8)) ?? ""
    }

    private func addresses(
        of host: String,
        _ family: AddressFamily? = nil,
        with resolver: HostResolver
    ) async throws -> [String] {
        let addresses = try await resolver.addresses(of: Endpoint(host: host, port: 2222), family: family)
        #expect(addresses.allSatisfy { $0.port == 2222 })
        return addresses.compactMap(\.ipAddress)
    }

    @Test(arguments: [("192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::1"), ("127.1", "127.0.0.1")])
    func `an address is not looked up`(text: String, address: String) async throws {
        #expect(try await addresses(of: text, with: try resolver(getent: "exit 9")) == [address])
        #expect(calls == "")
    }

    @Test func `an address of the other family is rejected`() async throws {
        let error = await #expect(throws: VTError.self) {
            _ = try await addresses(of: "192.0.2.7", .ipv6, with: try resolver())
        }
        #expect(error == VTError(.hostUnresolved, "'192.0.2.7' is not an IPv6 address"))
    }

    @Test(arguments: ["localhost", "LocalHost"])
    func `localhost is resolved without getent`(name: String) async throws {
        let resolver = try resolver(getent: "exit 2")
        #expect(try await addresses(of: name, .ipv4, with: resolver) == ["127.0.0.1"])
        #expect(calls == "")
    }

    @Test func `the addresses that getent prints keep their order and are not repeated`() async throws {
        let output = """
            2001:db8::1     STREAM web.example
            2001:db8::1     DGRAM
            192.0.2.1       STREAM
            192.0.2.1       DGRAM
            """
        let resolver = try resolver(getent: "cat <<'END'\n\(output)\nEND")
        #expect(try await addresses(of: "web", with: resolver) == ["2001:db8::1", "192.0.2.1"])
        #expect(calls == "ahosts -- web\n")
    }

    @Test func `a family is requested from getent, and mapped addresses are ignored`() async throws {
        let resolver = try resolver(
            getent: """
                case $1 in
                ahostsv4) echo '192.0.2.1 STREAM web' ;;
                ahostsv6) echo '::ffff:192.0.2.1 STREAM web'; [ $3 = mapped ] || echo '2001:db8::1 STREAM' ;;
                esac
                """
        )
        #expect(try await addresses(of: "web", .ipv4, with: resolver) == ["192.0.2.1"])
        #expect(try await addresses(of: "web", .ipv6, with: resolver) == ["2001:db8::1"])
        let error = await #expect(throws: VTError.self) {
            _ = try await addresses(of: "mapped", .ipv6, with: resolver)
        }
        #expect(error?.code == .hostUnresolved)
    }

    @Test func `getent never interprets a name as an option`() async throws {
        let error = await #expect(throws: VTError.self) {
            _ = try await addresses(of: "--help", with: try resolver(getent: "exec /usr/bin/getent \"$@\""))
        }
        #expect(error == VTError(.hostUnresolved, "cannot resolve '--help': name or service not known"))
        #expect(calls == "ahosts -- --help\n")
    }

    @Test(arguments: [nil, "echo 'Unknown database: ahosts' >&2; exit 1"])
    func `without a usable getent, files and DNS are used`(script: String?) async throws {
        let line = try String(contentsOfFile: "/etc/hosts", encoding: .utf8).split(separator: "\n").first { line in
            line.hasPrefix("127.") && !line.hasSuffix("localhost")
        }
        let name = try #require(line?.split(whereSeparator: \.isWhitespace).last, "/etc/hosts has another name")
        let found = try await addresses(of: String(name), .ipv4, with: try resolver(getent: script))
        #expect(found.first?.hasPrefix("127.") == true)
    }

    @Test func `canceling a lookup kills getent`() async throws {
        let resolver = try resolver(getent: "echo $$ >\(scratch.path("pid")); exec sleep 1000")
        let lookup = Task { try await addresses(of: "web", with: resolver) }
        #expect(await eventually { text(of: "pid").hasSuffix("\n") })
        lookup.cancel()
        let error = await #expect(throws: VTError.self) { _ = try await lookup.value }
        #expect(error == .cancelled)
        let process = try #require(pid_t(text(of: "pid").dropLast()))
        #expect(kill(process, 0) == -1)
    }
}
