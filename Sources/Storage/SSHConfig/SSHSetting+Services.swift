import Core
import System

extension SSHSetting {
    /// The setting, with the names of services in the ports of a forward, such as `http`, replaced by their numbers.
    var withNumericPorts: SSHSetting {
        guard ["localforward", "remoteforward", "dynamicforward"].contains(name) else { return self }
        var setting = self
        setting.words = setting.words.map(Self.withNumericPort)
        return setting
    }

    /// The port follows the last colon; a word with a slash is the path of a socket.
    private static func withNumericPort(_ word: String) -> String {
        let name = word.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        guard !word.contains("/"), !name.isEmpty, !name.allSatisfy(\.isNumber), let port = port(ofService: name)
        else { return word }
        return word.dropLast(name.count) + String(port)
    }

    /// Looks up a TCP service in services(5).
    private static func port(ofService name: Substring) -> UInt16? {
        // Without the file, no name is known.
        guard let bytes = try? FileContents.read("/etc/services") else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // "http 80/tcp www # WorldWideWeb HTTP"
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard words.count > 1, words[1].hasSuffix("/tcp") else { continue }
            if words[0] == name || words.dropFirst(2).contains(name) { return UInt16(words[1].dropLast(4)) }
        }
        return nil
    }
}
