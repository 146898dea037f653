import Core
import Glibc

/// The user running this process, from the passwd database.
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

    /// Returns nil if the user has no entry; the corresponding C function is `getpwuid_r`.
    package static func current() -> Account? {
        var entry = unsafe passwd()
        var result: UnsafeMutablePointer<passwd>? = nil
        var buffer = [CChar](repeating: 0, count: 16_384)
        let code = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> CInt in
            guard let start = bytes.baseAddress else { return ERANGE }
            return unsafe getpwuid_r(getuid(), &entry, start, bytes.count, &result)
        }
        guard code == 0, unsafe result != nil, let name = unsafe entry.pw_name, let home = unsafe entry.pw_dir else {
            return nil
        }
        let shell = unsafe entry.pw_shell.map { unsafe String(cString: $0) } ?? ""
        return unsafe Account(
            name: String(cString: name),
            home: String(cString: home),
            shell: shell.isEmpty ? "/bin/sh" : shell
        )
    }
}
