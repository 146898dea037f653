import Foundation
import TestSupport
import Testing

/// `vt ssh -G` prints what `ssh -G` prints, for the keywords that vt honors.
@Suite struct SSHConfigurationTests {
    /// The keywords that vt does not honor, and therefore does not print.
    private static let ignored: Set<String> = [
        "addkeystoagent", "canonicalizePermittedcnames", "casignaturealgorithms", "channeltimeout",
        "compression", "connectionattempts", "controlmaster", "controlpath", "controlpersist",
        "enableescapecommandline", "enablesshkeysign", "escapechar", "fingerprinthash", "forwardagent", "forwardx11",
        "forwardx11timeout", "forwardx11trusted", "gssapiauthentication", "gssapidelegatecredentials",
        "gssapikexalgorithms", "gssapikeyexchange", "gssapirenewalforcesrekey", "gssapitrustdns",
        "hostbasedacceptedalgorithms", "hostbasedauthentication", "ipqos",
        "logverbose", "nohostauthenticationforlocalhost", "obscurekeystroketiming",
        "permitremoteopen", "rekeylimit", "securitykeyprovider",
        "streamlocalbindmask", "syslogfacility", "tcpkeepalive", "tunnel", "tunneldevice", "updatehostkeys",
        "verifyhostkeydns", "visualhostkey", "xauthlocation",
    ]

    /// The keywords whose default is different in vt, so that they are compared only if the configuration sets them.
    private static let withOwnDefault: Set<String> = [
        "ciphers", "connecttimeout", "globalknownhostsfile", "hostkeyalgorithms", "identityfile", "kexalgorithms",
        "macs", "pubkeyacceptedalgorithms", "serveraliveinterval", "stricthostkeychecking", "userknownhostsfile",
    ]

    @Test(arguments: SSHConfigurationCases.all)
    func `prints the settings that ssh prints`(_ example: SSHConfigurationCases.Case) async throws {
        try await Self.compare(example)
    }

    @Test(arguments: [["host"], ["-l", "me", "-p", "77", "box"], ["UPPER"]])
    func `%C has the value that it has in ssh`(_ words: [String]) async throws {
        let vt = try Vt()
        let directory = "\(vt.home)/.ssh"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let configuration = """
            Host box
              HostName real.example
            Match exec "echo %C %h >>\(vt.home)/hashes"
              User x

            """
        let file = "\(directory)/config"
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await ProgramCall("ssh", ["-F", file, "-G"] + words).run().status == .exited(0))
        #expect(try await vt.call(["ssh", "-F", file, "-G"] + words).run().status == .exited(0))
        let hashes = try String(contentsOfFile: "\(vt.home)/hashes", encoding: .utf8).split(separator: "\n")
        #expect(hashes.count == 2 && hashes[0] == hashes[1], "\(hashes)")
    }

    /// Each round has four configurations and two command lines; 50 rounds, with VT_TEST_ROUNDS, take 15 seconds.
    @Test func `prints the settings that ssh prints for random configurations`() async throws {
        let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1
        for round in 0..<rounds {
            for number in 0..<6 {
                try await Self.compare(SSHConfigurationCases.random(round * 6 + number, isLong: number > 3))
            }
        }
    }

    private static func compare(_ example: SSHConfigurationCases.Case) async throws {
        let vt = try Vt()
        let directory = (try vt.writeElsewhere("", to: "empty") as NSString).deletingLastPathComponent
        let fill = { (text: String) in text.replacingOccurrences(of: "DIR", with: directory) }
        for (name, text) in SSHConfigurationCases.files { try vt.writeElsewhere(fill(text), to: name) }
        let file = try vt.writeElsewhere(fill(example.text), to: "config")
        // ssh takes the home directory from the passwd database.
        let variables = ["KEYS": "/keys", "SHELL": "/bin/sh", "HOME": TestUser.current.home]
        let words = ["-F", file, "-G"] + example.words.map(fill)
        let environment = vt.environment.merging(variables) { $1 }
        let expected = try await settings(ProgramCall("ssh", words, environment: environment))
        let usual = try await settings(ProgramCall("ssh", ["-F", "none", "-G", "x"], environment: environment))
        let actual = try await settings(vt.call(["ssh"] + words, environment: variables))
        for keyword in Set(expected.keys).union(actual.keys).subtracting(ignored) {
            let isDefault = expected[keyword] == usual[keyword]
            if isDefault, withOwnDefault.contains(keyword) { continue }
            // A final pass of ssh repeats the values.
            let values = { (all: [String: [String]]) in
                keyword == "sendenv" ? all[keyword].map { Set($0).sorted() } : all[keyword]
            }
            #expect(values(actual) == values(expected), "\(keyword) of \(example.words):\n\(example.text)")
        }
        #expect(ignored.isDisjoint(with: actual.keys))
    }

    /// The values by keyword.
    private static func settings(_ call: ProgramCall) async throws -> [String: [String]] {
        try await call.check().split(separator: "\n").reduce(into: [:]) { values, line in
            let parts = line.split(separator: " ", maxSplits: 1)
            values[String(parts[0]), default: []].append(parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
