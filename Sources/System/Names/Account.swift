import Core
import Glibc

/// The user running this process.
package struct Account: Hashable, Sendable {
    package var name: String
    package var home: String
    /// The login shell; `/bin/sh` if the entry has none (passwd(5)).
    package var shell: String

    package init(name: String, home: String, shell: String = "/bin/sh") {
        self.name = name
        self.home = home
        self.shell = shell
    }

    /// Returns the user's passwd entry or, if there is none, as for some user IDs in containers, the values of `HOME`,
    /// `USER` or `LOGNAME`, and `SHELL`; nil if these are unset.
    package static func current() -> Account? { running }

    private static let running = find(getuid(), in: .users, environment: .process)

    package static func find(_ id: uid_t, in users: AccountDatabase, environment: Environment) -> Account? {
        if let entry = users.entry(id), entry.count >= 7 {
            return Account(name: entry[0], home: entry[5], shell: entry[6].isEmpty ? "/bin/sh" : entry[6])
        }
        guard let name = environment["USER"] ?? environment["LOGNAME"], let home = environment["HOME"] else {
            return nil
        }
        return Account(name: name, home: home, shell: environment["SHELL"] ?? "/bin/sh")
    }
}
