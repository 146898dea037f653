import Glibc

/// The memory of one libssh2 session, confined to its event loop.
///
/// Until the login it is bounded, overwritten when it is freed, and looked into: libssh2 1.10 keeps to itself what a server
/// says in banners (RFC 4252 §5.4) and whether a refused method was a partial success (§5.1).
@safe
final class SessionMemory {
    private struct Block {
        var size: Int
        /// Counts up, so that blocks can be put in the order they were made.
        var number: Int
    }

    /// The answer that a failure packet gave last.
    private(set) var lastRefusal: AuthenticationRefusal?
    /// Whether memory was denied.
    private(set) var isExhausted = false

    /// Whether a keyboard-interactive authentication is under way.
    var isAnsweringQuestions = false
    private var isGuarding = true
    private var blocks: [UnsafeMutableRawPointer: Block] = unsafe [:]
    private var bytes = 0
    private var nextNumber = 0
    private var restoration: Restoration?

    /// A few hundred are usual until the login.
    private static let blockLimit = 2048
    /// The session itself has 0.2 MiB.
    private static let limitBytes = 4 << 20
    /// No packet is longer (RFC 4253 §6.1, `LIBSSH2_PACKET_MAXPAYLOAD`).
    private static let packetLimitBytes = 40_000

    /// Bytes that are written somewhere at the next large allocation.
    @safe
    private struct Restoration {
        var target: UnsafeMutableRawPointer
        var bytes: [UInt8]
    }

    // MARK: - For the connection

    /// The banners that came so far, in their order.
    var banners: [String] {
        unsafe blocks.sorted { unsafe $0.value.number < $1.value.number }.compactMap { pointer, block in
            unsafe AuthenticationMessage.banner(UnsafeRawBufferPointer(start: pointer, count: block.size))
        }
    }

    /// Forgets the last refusal, so that the next one can be told from it.
    func forgetRefusal() {
        lastRefusal = nil
    }

    /// Ends the bounds and the overwriting; blocks that are left are freed in their time.
    func stopGuarding() {
        isGuarding = false
        unsafe blocks.removeAll()
    }

    /// Writes bytes to `target` at the next allocation of more than 16 bytes, unless `cancelRestoration` comes before.
    func restore(_ bytes: [UInt8], to target: UnsafeMutableRawPointer) {
        unsafe restoration = Restoration(target: target, bytes: bytes)
    }

    /// Writes the bytes now if they have not been written yet.
    func completeRestoration() {
        guard let waiting = restoration else { return }
        restoration = nil
        for (offset, byte) in waiting.bytes.enumerated() {
            unsafe waiting.target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }

    // MARK: - For libssh2

    /// The corresponding C function is `malloc`.
    func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        if restoration != nil, count > 16 { completeRestoration() }
        guard isGuarding else { return unsafe malloc(max(1, count)) }
        guard unsafe blocks.count < Self.blockLimit, bytes + count <= Self.limitBytes,
            unsafe blocks.isEmpty || count <= Self.packetLimitBytes,
            !isAnsweringQuestions || !holdsOverlongQuestion,
            let pointer = unsafe malloc(max(1, count))
        else {
            isExhausted = true
            return nil
        }
        unsafe memset(pointer, 0, count)
        unsafe blocks[pointer] = Block(size: count, number: nextNumber)
        nextNumber += 1
        bytes += count
        return unsafe pointer
    }

    /// The corresponding C function is `realloc`.
    func reallocate(_ pointer: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard let pointer = unsafe pointer else { return unsafe allocate(count) }
        guard let block = unsafe blocks[pointer] else { return unsafe realloc(pointer, max(1, count)) }
        guard let larger = unsafe allocate(count) else { return nil }
        unsafe larger.copyMemory(from: pointer, byteCount: min(block.size, count))
        unsafe free(pointer)
        return unsafe larger
    }

    /// The corresponding C function is `free`.
    func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe pointer else { return }
        if let block = unsafe blocks.removeValue(forKey: pointer) {
            bytes -= block.size
            let contents = unsafe UnsafeRawBufferPointer(start: pointer, count: block.size)
            lastRefusal = unsafe AuthenticationMessage.refusal(contents) ?? lastRefusal
            unsafe explicit_bzero(pointer, block.size)
        }
        unsafe Glibc.free(pointer)
    }

    /// Whether a question (RFC 4256 §3.2) has come whose name reaches beyond its packet.
    ///
    /// libssh2 1.10 copies the name without a look at where the packet ends (`userauth_keyboard_interactive`). A longer
    /// one than any packet gets no memory anyway.
    private var holdsOverlongQuestion: Bool {
        unsafe blocks.contains { pointer, block in
            let contents = unsafe UnsafeRawBufferPointer(start: pointer, count: block.size)
            guard let length = unsafe AuthenticationMessage.questionNameLength(contents) else { return false }
            return length <= Self.packetLimitBytes && 5 + length > block.size
        }
    }
}
