import CZlib
import Core

/// Decompresses gzip (RFC 1952), including several concatenated members, step by step.
///
/// Each step returns at most `stepLimit` bytes, however much the input expands.
@safe struct Inflater: ~Copyable {
    static let stepLimit = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var position = 0
    private var state = State.inMember
    private var isDamaged = false
    /// Whether the last step filled its output, so more might be available without further input.
    private var isOutputFull = false

    private enum State {
        case inMember
        /// Another member can follow.
        case afterMember
        /// Nothing more is read.
        case ended
    }

    /// The reason why decompression ended early.
    enum Fault: Error {
        case damaged
        /// The input ends in the middle of a member.
        case early
        /// A member is followed by data that is not another member.
        case trailing
    }

    /// - Throws: `system` when memory is exhausted.
    init() throws(VTError) {
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 + 16 selects the maximum window and gzip format; see inflateInit2 in zlib.h.
        let result = unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            unsafe stream.deallocate()
            throw VTError(.system, "cannot initialize decompression")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    mutating func append(_ bytes: [UInt8]) {
        guard state != .ended else { return }
        input.removeSubrange(..<position)
        position = 0
        input += bytes
    }

    /// Returns the next bytes, possibly none; nil at the end and if more input is needed.
    mutating func read(isLast: Bool) throws(Fault) -> [UInt8]? {
        if state == .afterMember { try beginMember(isLast) }
        guard state == .inMember else { return nil }
        if isDamaged { throw end(.damaged) }
        guard position < input.count || isOutputFull else {
            if isLast { throw end(.early) }
            return nil
        }
        var result = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.stepLimit) { output, count in
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + position }
                unsafe stream.pointee.avail_in = UInt32(min(input.count - position, 1 << 30))
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                let before = unsafe stream.pointee.avail_in
                result = unsafe inflate(stream, Z_NO_FLUSH)
                position += Int(before - (unsafe stream.pointee.avail_in))
            }
            count = output.count - Int(unsafe stream.pointee.avail_out)
        }
        isOutputFull = output.count == Self.stepLimit
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: state = .afterMember
        default: isDamaged = true
        }
        // Data before the damage is valid.
        if isDamaged, output.isEmpty { throw end(.damaged) }
        return output
    }

    /// Begins the next member, if there is one; zeros after a member are ignored, as in gzip(1).
    private mutating func beginMember(_ isLast: Bool) throws(Fault) {
        while position < input.count, input[position] == 0 { position += 1 }
        guard input.count - position >= 2 else {
            guard isLast else { return }
            if position < input.count { throw end(.trailing) }
            state = .ended
            return
        }
        guard input[position] == 0x1F, input[position + 1] == 0x8B else { throw end(.trailing) }
        unsafe inflateReset(stream)
        isOutputFull = false
        state = .inMember
    }

    private mutating func end(_ fault: Fault) -> Fault {
        state = .ended
        input = []
        position = 0
        return fault
    }
}
