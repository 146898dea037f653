import Core

/// A source without any bytes.
package struct EmptySource: ByteSource {
    package init() {}

    package func read() async throws(VTError) -> [UInt8]? {
        nil
    }
}
