import Foundation
import TestSupport
import Testing

/// Programs that use the whole screen: a pager, an editor and an installer with dialogs.
@Suite(.crowded)
struct FullScreenTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    @Test func `less pages and searches`() async throws {
        let lines = (1...1000).map { "line \($0)\n" }.joined()
        let file = try vt.writeElsewhere(lines, to: "long.txt")
        await DrivenProgram.rounds("less") { session in
            let less = try await DrivenProgram(session, in: vt, options: ["--size", "40x10"], "less", file)
            try await less.wait(for: "long\\.txt$")
            try await less.send("--key", "Space", until: "^:$")
            try #require(try await less.screen().prefix(9) == (10...18).map { "line \($0)" }[...])
            try await less.send("--key", "PageUp", until: "^:$")
            try #require(try await less.screen().first == "line 1")
            try await less.send("/ 50[0]$", "--enter", until: "^:$")
            try #require(try await less.screen().prefix(9) == (500...508).map { "line \($0)" }[...])
            try await less.send("G", until: "\\(END\\)")
            try #require(try await less.screen().prefix(9) == (992...1000).map { "line \($0)" }[...])
            try await less.send("?nothing", "--enter", until: "Pattern not found")
            try #require(try await less.end("--enter", "q") == 0)
        }
    }

    @Test func `vim inserts, saves, replaces, and discards a change`() async throws {
        await DrivenProgram.rounds("vim") { session in
            let path = "\(vt.home)/\(session).txt"
            let vim = try await DrivenProgram(session, in: vt, options: ["--size", "60x10"], "vim", "-n", path)
            try await vim.wait(for: "\\[New\\]")
            try await vim.send("i", until: "-- INSERT --")
            try await vim.send("one", "--enter", "two", "--key", "Escape", ":w", "--enter", until: "2L, 8B written")
            try #require(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
            try await vim.send(":%s/o/0/g | w", "--enter", until: "2L, 8B written")
            try #require(try String(contentsOfFile: path, encoding: .utf8) == "0ne\ntw0\n")
            try await vim.send("ggdd", ":echo getline(1)", "--enter", until: "^tw0")
            try await vim.send(":q", "--enter", until: "E37: ")
            try #require(try await vim.end(":q!", "--enter") == 0)
            try #require(try String(contentsOfFile: path, encoding: .utf8) == "0ne\ntw0\n")
        }
    }

    private static let installer = """
        disk=$(dialog --stdout --menu 'Disk' 15 50 3 sda 'first disk' sdb 'second disk' sdc 'third disk') || exit 10
        dialog --yesno "Erase $disk?" 7 40 || exit 11
        password=$(dialog --stdout --insecure --passwordbox 'Root password' 8 40) || exit 12
        for percent in 20 60 100; do echo $percent; done | dialog --gauge 'Installing' 7 40
        printf '%s %s' "$disk" "$password" >"$1"
        dialog --msgbox 'Complete' 7 40
        exit 5
        """

    @Test func `an installer with dialogs is answered with keys`() async throws {
        let script = try vt.writeElsewhere(Self.installer, to: "installer.sh")
        await DrivenProgram.rounds("dialog") { session in
            let result = "\(vt.home)/\(session).result"
            let installer = try await DrivenProgram(session, in: vt, "sh", script, result)
            try await installer.wait(for: "<Cancel>")
            // Down, down and up select the second disk.
            try await installer.send("--key", "Down", "--key", "Down", "--key", "Up", "--enter", until: "< No  >")
            try #require(try await installer.screen().contains { $0.contains("Erase sdb?") })
            try await installer.send("--key", "Tab", "--key", "Tab", "--enter", until: "<Cancel>")
            try #require(try await installer.screen().contains { $0.contains("Root password") })
            try await installer.send("secret", "--key", "Tab", "--enter", until: "100%")
            try await installer.wait(for: "<  OK  >")
            try #require(try await installer.screen().contains { $0.contains("Complete") })
            try #require(try await installer.end("--enter") == 5)
            try #require(try String(contentsOfFile: result, encoding: .utf8) == "sdb secret")
        }
    }
}
