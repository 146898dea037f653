import Glibc

/// The user who runs the tests.
///
/// `NSUserName` calls getpwuid(3), whose result a call on another thread can overwrite while it is read: the name can then
/// have NUL bytes in it, at which arguments end.
package struct TestUser: Sendable {
    package static let current = TestUser()

    package let name: String
    package let home: String
    /// The path of the login shell.
    package let shell: String

    private init() {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // The entry points into the buffer.
        let size = 16384
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        defer { buffer.deallocate() }
        guard getpwuid_r(geteuid(), &entry, buffer, size, &found) == 0, found != nil else {
            fatalError("the user who runs the tests has no entry in the user database")
        }
        name = String(cString: entry.pw_name)
        home = String(cString: entry.pw_dir)
        shell = String(cString: entry.pw_shell)
    }
}
