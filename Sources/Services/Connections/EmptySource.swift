import Core

/// An empty input.
package struct EmptySource: ByteSource {
    package init() {}

    package func read() async throws(VTError) -> [UInt8]? {
        nil
    }
}
