import Core
import Synchronization

/// A value that is created on first use; after an error, the next use tries again.
package final class OnFirstUse<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () throws(VTError) -> Value

    package init(_ make: @escaping @Sendable () throws(VTError) -> Value) {
        self.make = make
    }

    package func value() throws(VTError) -> Value {
        try made.withLock { made throws(VTError) in
            if let made { return made }
            let value = try make()
            made = value
            return value
        }
    }
}
