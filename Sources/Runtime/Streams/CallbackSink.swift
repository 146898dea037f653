import Core

/// A sink that passes bytes to a function.
package struct CallbackSink: ByteSink {
    private let receive: @Sendable ([UInt8]) async throws(VTError) -> Void

    package init(_ receive: @escaping @Sendable ([UInt8]) async throws(VTError) -> Void) {
        self.receive = receive
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        try await receive(bytes)
    }
}
