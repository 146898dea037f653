/// A linked library, with its version at run time.
package struct LibraryVersion: Hashable, Sendable {
    package var name: String
    package var version: String

    package init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}
