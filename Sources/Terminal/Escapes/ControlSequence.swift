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
    private var values = InlineArray<64, Int32>(repeating: -1)
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

    @inline(__always)
    mutating func digit(_ byte: UInt8) {
        guard !isFull else { return }
        let old = max(values[last], 0)
        values[last] = min(old * 10 + Int32(byte & 15), Self.valueLimit)
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
