import Core
import Synchronization

/// What an SFTP server has been found to do unlike OpenSSH's, in any session of a connection.
final class SFTPServerTraits: Sendable {
    /// The order of the two paths in a request to create a symbolic link.
    enum LinkOrder {
        /// The target, then the link, as OpenSSH's server expects (PROTOCOL of openssh-portable, §4.1).
        case targetFirst
        /// The link, then the target (draft-ietf-secsh-filexfer-02 §6.10).
        case linkFirst
    }

    /// What the server does with symbolic links.
    struct Links {
        var order: LinkOrder
        /// Whether the server reports the targets as they are; ProFTPD reports paths in which all links are resolved,
        /// and also renames the file to which a link refers.
        var areReported = true
        /// Whether relative targets are taken to be relative to the initial directory, and made absolute.
        var areResolved = false
    }

    struct Values {
        /// Whether a handle can be that of two open files, so that only one file may be open at a time.
        var reusesHandles = false
        /// Nil until a link has been created.
        var links: Links?
        /// The modes with which files have been created, and have had no more permissions than that.
        var verifiedModes: Set<UInt16> = []
        /// Whether files are created with a mode other than the requested one.
        var ignoresModes = false
    }

    private let values = Mutex(Values())

    var current: Values { values.withLock { $0 } }

    func update(_ change: (inout sending Values) -> Void) {
        values.withLock { change(&$0) }
    }
}
