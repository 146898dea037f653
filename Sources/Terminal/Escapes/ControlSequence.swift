/// The collected parts of a control sequence (ECMA-48 §5.4) or of the start of a device control string.
struct ControlSequence: Sendable {
    /// The maximum number of parameters, more than any sequence needs; further parameters are ignored.
    static let parameterLimit = 64
    /// The maximum value of a parameter, as in xterm.
    static let valueLimit: Int32 = 65535
    private static let absent: Int32 = -1

    /// `<`, `=`, `>` or `?`; 0 for none.
    private(set) var marker: UInt8 = 0
    /// Bytes 0x20–0x2F, the last one in the lowest bits; 0 for none.
    private(set) var intermediates: UInt32 = 0
    /// Not an `InlineArray`, which would be copied as a whole for each access.
    private var values = [Int32](repeating: absent, count: parameterLimit)
    private var last = 0
    /// One bit for each parameter, set if it follows a colon.
    private var afterColon: UInt64 = 0
    private var isFull = false

    mutating func begin() {
        marker = 0
        intermediates = 0
        last = 0
        afterColon = 0
        isFull = false
        values[0] = Self.absent
    }

    /// The number of parameters, including omitted ones.
    var count: Int { last + 1 }

    mutating func digit(_ byte: UInt8) {
        guard !isFull else { return }
        values[last] = Self.appending(byte, to: values[last])
    }

    /// Processes the digits at `start`; returns the index after them.
    @inline(__always)
    mutating func digits(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        var value = values[last]
        while index < bytes.count, bytes[index] &- 0x30 < 10 {
            value = Self.appending(bytes[index], to: value)
            index += 1
        }
        if !isFull { values[last] = value }
        return index
    }

    @inline(__always)
    private static func appending(_ digit: UInt8, to value: Int32) -> Int32 {
        min(max(value, 0) &* 10 &+ Int32(digit & 15), valueLimit)
    }

    /// Processes `;` or `:`.
    @inline(__always)
    mutating func separator(_ byte: UInt8) {
        guard last + 1 < Self.parameterLimit else {
            isFull = true
            return
        }
        last += 1
        values[last] = Self.absent
        if byte == UInt8(ascii: ":") { afterColon |= 1 << UInt64(last) }
    }

    mutating func mark(_ byte: UInt8) {
        marker = byte
    }

    mutating func intermediate(_ byte: UInt8) {
        intermediates = (intermediates & 0xFFFF) << 8 | UInt32(byte)
    }

    /// The value of a parameter; nil if it is omitted.
    @inline(__always)
    func value(_ index: Int) -> Int? {
        guard index <= last, values[index] >= 0 else { return nil }
        return Int(values[index])
    }

    /// The value of a parameter that is a byte, 0 if it is omitted; nil if it is greater.
    @inline(__always)
    func byte(_ index: Int) -> UInt8? {
        UInt8(exactly: value(index) ?? 0)
    }

    /// The value of a parameter that is a count: 1 if it is omitted or 0.
    @inline(__always)
    func counter(_ index: Int) -> Int {
        max(value(index) ?? 1, 1)
    }

    /// Whether a parameter is a subparameter of the previous one.
    @inline(__always)
    func isSubparameter(_ index: Int) -> Bool {
        index <= last && afterColon & 1 << UInt64(index) != 0
    }
}
