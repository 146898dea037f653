import POSIX

/// A reference-counted descriptor, closed with the last reference.
final class SharedDescriptor: Sendable {
    private let descriptor: POSIX.FileDescriptor

    init(_ descriptor: consuming POSIX.FileDescriptor) {
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }
}
