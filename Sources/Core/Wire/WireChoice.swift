/// An enumeration whose format is the number of the case, and the associated values.
package protocol WireChoice: WireValue {
    /// All cases; those that are used most come first.
    static var wireCases: [WireCase<Self>] { get }
}

/// The format of one case of an enumeration.
package struct WireCase<Choice: Sendable>: Sendable {
    package let number: UInt8
    /// Writes the associated values; returns false for another case, of which nothing is written.
    fileprivate let write: @Sendable (Choice, inout WireCoder) throws(WireCoder.Malformed) -> Bool
    fileprivate let read: @Sendable (inout WireCoder) throws(WireCoder.Malformed) -> Choice

    /// `make` makes the choice of its associated values, which `values` returns; nil for another case.
    package init<each Value: WireValue>(
        _ number: UInt8,
        _ make: @escaping @Sendable (repeat each Value) -> Choice,
        _ values: @escaping @Sendable (Choice) -> (repeat each Value)?
    ) {
        self.number = number
        write = { choice, wire throws(WireCoder.Malformed) in
            guard let values = values(choice) else { return false }
            _ = try wire.code(number)
            repeat _ = try wire.code(each values)
            return true
        }
        read = { wire throws(WireCoder.Malformed) in make(repeat try wire.code((each Value)?.none)) }
    }

    /// A case without associated values.
    package init(_ number: UInt8, _ choice: Choice) where Choice: Equatable {
        self.number = number
        write = { other, wire throws(WireCoder.Malformed) in
            guard other == choice else { return false }
            _ = try wire.code(number)
            return true
        }
        read = { _ throws(WireCoder.Malformed) in choice }
    }
}

/// A value that may be absent, as an associated value.
package struct WireOptional<Value: WireValue>: WireValue {
    package let value: Value?

    package init(_ value: Value?) {
        self.value = value
    }

    package static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(try wire.optional(value?.value))
    }
}

extension WireChoice {
    package static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        guard let value else {
            let number = try wire.code(UInt8?.none)
            guard let row = wireCases.first(where: { $0.number == number }) else { throw WireCoder.Malformed() }
            return try row.read(&wire)
        }
        for row in wireCases {
            if try row.write(value, &wire) { break }
        }
        return value
    }
}
