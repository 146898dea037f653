import CGuardedSSH2
import Core

/// Decides whether the shell of a command announces itself (`ProcessAnnouncement`), so that a second command can end it.
///
/// The announcement changes the command line, which a program that the server runs in place of the command or of a shell,
/// such as git-shell(1), would not understand. The protocol does not show in advance whether there is such a program, and
/// a test on another channel would start it. Therefore, the line is not changed if signals are likely to end the command,
/// or if the server has reported that the key is for one command.
extension SSHConnection {
    /// Whether the command line of a request is to contain an announcement.
    func announces(_ request: ExecRequest) -> Bool {
        guard hasShell, !wire.isCommandForced else { return false }
        // Any other line is made for a shell.
        guard case .shellLine(let line) = request.command, request.shell == nil, request.directory == nil,
            line.isSimpleCommand
        else { return true }
        return !(guarded_can_signal() && SignalSupport(serverIdentification).includes(user: user))
    }

    /// Whether the server is one that usually starts shells that can run sh(1), unlike those of network equipment.
    private var hasShell: Bool {
        serverIdentification.contains("dropbear")
            || serverIdentification.contains("OpenSSH") && !serverIdentification.contains("Windows")
    }
}

/// The users whose programs a server sends signals, as far as its identification shows.
///
/// OpenSSH sends them to the process group since 7.9; until 9.7, not for root, for whom it does not separate privileges.
/// It never sends them to a forced command.
enum SignalSupport {
    case nobody, users, everybody

    /// `identification` is the server's identification line (RFC 4253 §4.2).
    init(_ identification: String) {
        self = .nobody
        guard let match = identification.wholeMatch(of: /SSH-2\.0-OpenSSH_([0-9]+)\.([0-9]+).*/),
            let major = Int(match.1), let minor = Int(match.2)
        else { return }
        if (major, minor) >= (9, 8) {
            self = .everybody
        } else if (major, minor) >= (7, 9) {
            self = .users
        }
    }

    func includes(user: String) -> Bool {
        switch self {
        case .nobody: false
        case .users: user != "root"
        case .everybody: true
        }
    }
}

extension ByteString {
    /// Whether this is one command for a shell, with words only, which a program that is not a shell could understand.
    fileprivate var isSimpleCommand: Bool {
        !bytes.contains { Self.shellCharacters.contains($0) }
    }

    private static let shellCharacters = Set(";|&()<>$`\n".utf8)
}
