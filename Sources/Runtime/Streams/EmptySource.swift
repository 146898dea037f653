import Core

/// A source that is already at its end.
package struct EmptySource: ByteSource {
    package init() {}

    package func read() async throws(VTError) -> [UInt8]? {
        nil
    }
}
