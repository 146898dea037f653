import System
import struct System.FileDescriptor

/// A reference-counted descriptor, closed when the last reference is released.
final class SharedDescriptor: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }
}
