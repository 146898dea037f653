import Core

/// An input that has ended.
package struct EmptySource: ByteSource {
    package init() {}

    package func read() async throws(VTError) -> [UInt8]? {
        nil
    }
}
