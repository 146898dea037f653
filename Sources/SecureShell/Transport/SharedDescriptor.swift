import POSIX

/// A reference-counted descriptor, closed when the last reference is released.
final class SharedDescriptor: Sendable {
    private let descriptor: POSIX.FileDescriptor

    init(_ descriptor: consuming POSIX.FileDescriptor) {
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }
}
