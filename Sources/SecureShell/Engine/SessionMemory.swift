import Glibc

/// The memory allocator of one libssh2 session, confined to its event loop.
///
/// Until login, it limits memory and wipes freed blocks. It also inspects blocks, because libssh2 1.10 does not expose
/// banners (RFC 4252 §5.4) or whether a failed method was a partial success (§5.1), and no version up to 1.11 exposes
/// whether a program's exit status has been received (RFC 4254 §6.10): the library frees each received message.
@safe
final class SessionMemory {
    private struct Block {
        var size: Int
        /// Increases with each block, so that blocks can be sorted by creation.
        var number: Int
        /// Whether libssh2 may have freed the block without telling, so that only the library may use it.
        var isLent: Bool
    }

    /// The contents of the last failure packet.
    private(set) var lastRefusal: SSHMessage.Refusal?
    /// Whether an allocation was denied.
    private(set) var isExhausted = false

    /// Whether a packet was corrupted, after which no call uses the session; the address is passed to the calls.
    let failed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    var hasFailed: Bool { unsafe failed.pointee }

    /// Whether libssh2 is processing bytes that it has just received.
    var isReceiving = false {
        didSet { expectsPacket = isReceiving }
    }
    /// The number of complete packets that have been received, as far as blocks show it.
    ///
    /// libssh2 allocates a block for a packet when it has decrypted its length. When the packet is complete, it frees
    /// the block, or allocates another one for the entry in its queue.
    private(set) var completePackets: UInt64 = 0
    /// The block of a packet that is not complete.
    private var incompletePacket: UnsafeMutableRawPointer?

    /// Whether libssh2 may free blocks of some sizes that it allocates now without telling.
    ///
    /// With an ECDSA key, version 1.11 frees two blocks with free(3): the public key (`gen_publickey_from_ec_evp`), and
    /// the signature (`_libssh2_ecdsa_sign`).
    var isLending = false
    /// Whether the next block is for a packet, because bytes have been received.
    private var expectsPacket = false
    /// Whether keyboard-interactive authentication is in progress.
    var isAnsweringQuestions = false
    private var isGuarding = true
    private var blocks: [UnsafeMutableRawPointer: Block] = unsafe [:]
    private var bytes = 0
    private var nextNumber = 0
    /// The banners whose blocks were freed, which libssh2 1.11 does at once, with the numbers of the blocks.
    private var freedBanners: [(Int, String)] = []
    private var restoration: Restoration?
    /// Whether the exit status of the program has been received, by the number of the channel.
    private var exitStatuses: [UInt32: Bool] = [:]
    /// The number of the last channel that was opened.
    private var lastOpened: UInt32?

    /// The maximum number of blocks; a few hundred are typical before login.
    private static let blockLimit = 2048
    /// The maximum number of bytes; the session object takes 0.2 MiB.
    private static let limitBytes = 4 << 20
    /// The maximum packet length that OpenSSH sends; libssh2 accepts 40,000 bytes (`LIBSSH2_PACKET_MAXPAYLOAD`), unless
    /// it is built with another limit.
    private static let packetLimitBytes = 256 << 10
    /// The sizes of the blocks for a public key (`EC_MAX_POINT_LEN`), and for a signature with the curves nistp256, nistp384
    /// and nistp521 (`EVP_PKEY_get_size`).
    private static let lentSizes: Set = [133, 72, 104, 139]

    init() {
        unsafe failed.initialize(to: false)
    }

    deinit {
        unsafe failed.deallocate()
    }

    /// Bytes to be written to an address at the next large allocation.
    @safe
    private struct Restoration {
        var target: UnsafeMutableRawPointer
        var bytes: [UInt8]
    }

    /// Bytes to be replaced with others of the same number when a block is freed.
    @safe
    private struct Replacement {
        var trigger: UnsafeMutableRawPointer
        var old: [UInt8]
        var new: [UInt8]
    }

    private var replacement: Replacement?

    // MARK: - Interface to the connection

    /// The banners received until login, in order.
    var banners: [String] {
        guard isGuarding else { return [] }
        let held = unsafe ownBlocks.compactMap { pointer, block in
            unsafe SSHMessage.banner(UnsafeRawBufferPointer(start: pointer, count: block.size))
                .map { (block.number, $0) }
        }
        return (freedBanners + held).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Clears the last refusal, so that the next one can be distinguished from it.
    func forgetRefusal() {
        lastRefusal = nil
    }

    /// Stops limiting and wiping.
    func stopGuarding() {
        isGuarding = false
        freedBanners = []
    }

    /// Notices the exit status of the program on the channel that was opened last, until `forgetChannel`; returns the
    /// number of the channel.
    func watchOpenedChannel() -> UInt32? {
        defer { lastOpened = nil }
        if let lastOpened { exitStatuses[lastOpened] = false }
        return lastOpened
    }

    /// Whether an exit status of the program on this channel has been received.
    func hasExitStatus(_ channel: UInt32) -> Bool {
        exitStatuses[channel] ?? false
    }

    func forgetChannel(_ channel: UInt32) {
        exitStatuses.removeValue(forKey: channel)
    }

    /// Writes bytes to `target` at the next allocation of more bytes than these, or when `completeRestoration` is called.
    func restore(_ bytes: [UInt8], to target: UnsafeMutableRawPointer) {
        unsafe restoration = Restoration(target: target, bytes: bytes)
    }

    /// Writes the bytes now unless they have already been written.
    func completeRestoration() {
        guard let waiting = restoration else { return }
        restoration = nil
        for (offset, byte) in waiting.bytes.enumerated() {
            unsafe waiting.target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Replaces bytes in the block that contains them when `trigger` is freed; `new` must have as many bytes as `old`.
    func replace(_ old: [UInt8], with new: [UInt8], onFreeing trigger: UnsafeMutableRawPointer) {
        unsafe replacement = Replacement(trigger: trigger, old: old, new: new)
    }

    /// The blocks that exist for certain.
    private var ownBlocks: [UnsafeMutableRawPointer: Block] {
        unsafe blocks.filter { unsafe !$0.value.isLent }
    }

    private func completeReplacement() {
        guard let waiting = replacement else { return }
        replacement = nil
        let places = unsafe ownBlocks.compactMap { pointer, block in
            unsafe Self.offset(of: waiting.old, in: UnsafeRawBufferPointer(start: pointer, count: block.size))
                .map { unsafe pointer + $0 }
        }
        unsafe places.first?.copyMemory(from: waiting.new, byteCount: waiting.new.count)
    }

    private static func offset(of bytes: [UInt8], in contents: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count <= contents.count else { return nil }
        return (0...(contents.count - bytes.count)).first { offset in
            // Most offsets differ in the first byte.
            guard unsafe contents[offset] == bytes[0] else { return false }
            return unsafe contents[offset..<(offset + bytes.count)].elementsEqual(bytes)
        }
    }

    /// Ends the use of the session.
    func abandon() {
        unsafe failed.pointee = true
    }

    /// Frees the blocks that an abandoned session has left.
    func freeAll() {
        for unsafe(pointer, block) in unsafe ownBlocks {
            unsafe explicit_bzero(pointer, block.size)
            unsafe Glibc.free(pointer)
        }
        unsafe blocks = unsafe [:]
    }

    // MARK: - libssh2 callbacks

    func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        if let waiting = restoration, count > waiting.bytes.count { completeRestoration() }
        guard !isGuarding || isWithinLimits(count), let pointer = unsafe malloc(max(1, count)) else {
            if isGuarding { isExhausted = true }
            return nil
        }
        if isGuarding { unsafe memset(pointer, 0, count) }
        let isLent = isLending && !expectsPacket && Self.lentSizes.contains(count)
        let block = Block(size: count, number: nextNumber, isLent: isLent)
        expectsPacket = false
        let stale = unsafe blocks.updateValue(block, forKey: pointer)
        nextNumber += 1
        bytes += count - (stale?.size ?? 0)
        if isReceiving {
            if unsafe incompletePacket == nil { unsafe incompletePacket = pointer } else { completePacket() }
        }
        return unsafe pointer
    }

    private func completePacket() {
        unsafe incompletePacket = nil
        completePackets += 1
    }

    /// Whether a block of this size may be allocated before login.
    private func isWithinLimits(_ count: Int) -> Bool {
        unsafe blocks.count < Self.blockLimit && bytes + count <= Self.limitBytes
            && (blocks.isEmpty || count <= Self.packetLimitBytes)
            && (!isAnsweringQuestions || !holdsOverlongQuestion)
    }

    /// The corresponding C function is `realloc`.
    func reallocate(_ pointer: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard let pointer = unsafe pointer else { return unsafe allocate(count) }
        guard let block = unsafe blocks[pointer], let larger = unsafe allocate(count) else { return nil }
        unsafe larger.copyMemory(from: pointer, byteCount: min(block.size, count))
        unsafe free(pointer)
        return unsafe larger
    }

    /// A pointer that is not allocated is ignored: after malformed packets, libssh2 frees some blocks twice.
    func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe pointer else { return }
        if unsafe replacement?.trigger == pointer { completeReplacement() }
        guard let block = unsafe blocks.removeValue(forKey: pointer) else { return }
        if unsafe pointer == incompletePacket { completePacket() }
        bytes -= block.size
        let contents = unsafe UnsafeRawBufferPointer(start: pointer, count: block.size)
        if isGuarding {
            unsafe inspect(contents, number: block.number)
            unsafe explicit_bzero(pointer, block.size)
        } else if let channel = unsafe SSHMessage.openedChannel(contents) {
            lastOpened = channel
        } else if let channel = unsafe SSHMessage.exitedChannel(contents), exitStatuses[channel] != nil {
            exitStatuses[channel] = true
        }
        unsafe Glibc.free(pointer)
    }

    /// Notes what a message before login contains.
    private func inspect(_ contents: UnsafeRawBufferPointer, number: Int) {
        lastRefusal = unsafe SSHMessage.refusal(contents) ?? lastRefusal
        if let banner = unsafe SSHMessage.banner(contents) { freedBanners.append((number, banner)) }
    }

    /// Whether the server has sent a prompt (RFC 4256 §3.2) whose name extends beyond its packet.
    ///
    /// libssh2 1.10 copies the name without checking the end of the packet (`userauth_keyboard_interactive`).
    /// Allocations for names longer than any packet are denied anyway.
    private var holdsOverlongQuestion: Bool {
        unsafe ownBlocks.contains { pointer, block in
            let contents = unsafe UnsafeRawBufferPointer(start: pointer, count: block.size)
            guard let length = unsafe SSHMessage.questionNameLength(contents) else { return false }
            return length <= Self.packetLimitBytes && 5 + length > block.size
        }
    }
}
