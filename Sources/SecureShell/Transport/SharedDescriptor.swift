import POSIX

/// A descriptor that several owners may use until the last one is gone.
final class SharedDescriptor: Sendable {
    private let descriptor: POSIX.FileDescriptor

    init(_ descriptor: consuming POSIX.FileDescriptor) {
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }
}
