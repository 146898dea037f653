import Core
import System

extension SessionCreation {
    /// Variables inherited from the creator, in addition to `LC_*`; vt itself reads some of them when it runs in the
    /// session.
    private static let inheritedVariables: Set<[UInt8]> = Set(
        ["PATH", "LANG", "TZ", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "VT_HOME"].map { Array($0.utf8) }
    )

    /// The default PATH that sshd(8) sets for users on Debian.
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin:/usr/games"

    /// The initial environment of the session, as `NAME=VALUE` words: a few variables of its creator, variables that
    /// describe the user and the working directory, and the requested variables, which override the others.
    ///
    /// `directory` is the program's working directory: it becomes PWD if that is permitted (POSIX.1-2024, XBD 8.3),
    /// which preserves symbolic links in the path given by the user.
    func environment(in directory: String, creator: Environment, account: Account?) -> [ByteString] {
        var words: [(name: [UInt8], word: ByteString)] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            words.removeAll { $0.name == Array(name.utf8) }
            words.append((Array(name.utf8), ByteString("\(name)=\(value)")))
        }
        for word in creator.words {
            let name = Array(word.bytes.prefix { $0 != UInt8(ascii: "=") })
            guard Self.inheritedVariables.contains(name) || name.starts(with: "LC_".utf8) else { continue }
            words.append((name, word))
        }
        if creator["PATH"] == nil { add("PATH", Self.usualPath) }
        add("HOME", creator["HOME"] ?? account?.home)
        add("USER", account?.name ?? creator["USER"])
        add("LOGNAME", account?.name ?? creator["LOGNAME"])
        add("SHELL", account?.shell ?? creator["SHELL"])
        let parts = directory.split(separator: "/")
        if directory.hasPrefix("/"), !parts.contains("."), !parts.contains("..") { add("PWD", directory) }
        for variable in variables { add(variable.name, variable.value) }
        return words.map(\.word)
    }
}
