import Core
import Glibc
import Testing

@testable import SecureShell

struct SessionMemoryTests {
    private let memory = SessionMemory()

    /// Allocates memory that contains a message, as libssh2 does when it receives one.
    @discardableResult
    private func receive(_ message: [UInt8], padding: Int = 7) -> UnsafeMutableRawPointer? {
        let block = memory.allocate(message.count + padding)
        for (offset, byte) in message.enumerated() { block?.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self) }
        return block
    }

    private static func message(_ kind: UInt8, _ text: String, _ rest: [UInt8]) -> [UInt8] {
        var message = [kind]
        message.appendString(Array(text.utf8))
        return message + rest
    }

    @Test func `a freed failure message shows whether the method was accepted`() {
        for isPartial in [true, false] {
            memory.free(receive(Self.message(51, "password,keyboard-interactive", [isPartial ? 1 : 0])))
            #expect(memory.lastRefusal?.isPartialSuccess == isPartial)
            #expect(memory.lastRefusal?.methods == ["password", "keyboard-interactive"])
        }
        memory.forgetRefusal()
        memory.free(receive(Self.message(51, "publickey", []), padding: 0))
        memory.free(receive([51, 0xff, 0xff, 0xff, 0xff, 1]))
        memory.free(receive([]))
        memory.free(nil)
        #expect(memory.lastRefusal == nil)
    }

    /// libssh2 1.11 does so when it uses an ECDSA key.
    @Test func `a block that is freed without the allocator is not used again`() throws {
        memory.isLending = true
        let signature = try #require(memory.allocate(72))
        let kept = memory.allocate(80)
        memory.isLending = false
        Glibc.free(signature)
        // The C library returns the same block again.
        let other = try #require(malloc(72))
        memset(other, 0x55, 72)
        memory.free(kept)
        memory.freeAll()
        #expect(other == signature && other.load(as: UInt8.self) == 0x55)
        Glibc.free(other)
        // The C library may choose its address for a new block.
        let next = try #require(memory.allocate(72))
        memset(next, 0x55, 72)
        memory.freeAll()
    }

    @Test func `finds a banner that arrives while a key is used`() {
        memory.isLending = true
        memory.isReceiving = true
        // As many bytes as a signature.
        receive(Self.message(53, String(repeating: "b", count: 56), [0, 0, 0, 0]))
        #expect(memory.banners.count == 1)
    }

    @Test func `finds banners in order`() {
        for text in ["one", "zwei\u{1b}[31m", "3"] { receive(Self.message(53, text, [0, 0, 0, 0])) }
        receive([53, 0, 0, 1, 0])
        #expect(memory.banners == ["one", "zwei\u{1b}[31m", "3"])
        memory.stopGuarding()
        #expect(memory.banners == [])
    }

    @Test func `limits the size and number of blocks`() {
        _ = memory.allocate(200_000)
        #expect(memory.allocate((256 << 10) + 1) == nil)
        #expect(memory.isExhausted)
        let fresh = SessionMemory()
        var count = 0
        while fresh.allocate(1) != nil { count += 1 }
        #expect(count < 10_000)
        #expect(fresh.isExhausted)
        fresh.stopGuarding()
        #expect(fresh.allocate(1 << 20) != nil)
    }

    @Test func `counts packets when they are complete`() throws {
        memory.isReceiving = true
        // The rest of a packet can arrive later.
        let first = try #require(memory.allocate(100))
        memory.isReceiving = false
        _ = memory.allocate(10)
        memory.isReceiving = true
        #expect(memory.completePackets == 0)
        // The packet is put into the queue, or freed.
        _ = memory.allocate(48)
        #expect(memory.completePackets == 1)
        let second = memory.allocate(100)
        memory.free(second)
        #expect(memory.completePackets == 2)
        memory.free(first)
        #expect(memory.completePackets == 2)
    }

    @Test func `a prompt whose name extends beyond its packet is not answered`() {
        receive(Self.message(60, "sign in", [0, 0, 0, 0]))
        memory.isAnsweringQuestions = true
        #expect(memory.allocate(10) != nil)
        receive([60, 0, 0, 0x75, 0x30, 1, 2, 3])
        #expect(memory.allocate(30_000) == nil)
        #expect(memory.isExhausted)
    }

    /// An SSH_MSG_CHANNEL_OPEN_CONFIRMATION for a channel.
    private static func confirmation(_ channel: UInt8) -> [UInt8] {
        [91, 0, 0, 0, channel, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 8)
    }

    /// An SSH_MSG_CHANNEL_REQUEST for a channel.
    private static func request(_ channel: UInt8, _ type: String, _ rest: [UInt8]) -> [UInt8] {
        var message: [UInt8] = [98, 0, 0, 0, channel]
        message.appendString(Array(type.utf8))
        return message + rest
    }

    @Test func `notices the exit status of the program on each open channel`() {
        memory.stopGuarding()
        #expect(memory.watchOpenedChannel() == nil)
        for number in [3, 4] as [UInt8] {
            memory.free(receive(Self.confirmation(number)))
            #expect(memory.watchOpenedChannel() == UInt32(number))
        }
        memory.free(receive(Self.request(4, "exit-status", [0, 0, 0, 0]), padding: 0))
        memory.free(receive(Self.request(4, "exit-signal", [0, 0, 0, 0, 4])))
        memory.free(receive(Self.request(5, "exit-status", [0, 0, 0, 0, 0])))
        #expect(!memory.hasExitStatus(3) && !memory.hasExitStatus(4) && !memory.hasExitStatus(5))
        memory.free(receive(Self.request(4, "exit-status", [0, 0, 0, 0, 0]), padding: 0))
        #expect(!memory.hasExitStatus(3) && memory.hasExitStatus(4))
        memory.forgetChannel(4)
        #expect(!memory.hasExitStatus(4))
    }

    @Test(arguments: [true, false])
    func `a block that is freed twice is freed once`(_ isLogin: Bool) {
        if !isLogin { memory.stopGuarding() }
        let block = memory.allocate(100)
        memory.free(block)
        memory.free(block)
        #expect(memory.reallocate(block, 200) == nil)
    }

    @Test func `reallocation keeps the contents`() {
        let block = receive([1, 2, 3], padding: 0)
        let grown = memory.reallocate(block, 100)
        #expect((0..<3).map { grown?.load(fromByteOffset: $0, as: UInt8.self) } == [1, 2, 3])
        memory.free(grown)
    }

    @Test func `bytes are replaced when a block is freed, once`() throws {
        let packet = try #require(receive(Array("start old end".utf8)))
        let trigger = try #require(memory.allocate(1))
        memory.replace(Array("old".utf8), with: Array("new".utf8), onFreeing: trigger)
        let text = { String(decoding: UnsafeRawBufferPointer(start: packet, count: 13), as: UTF8.self) }
        memory.free(memory.allocate(3))
        #expect(text() == "start old end")
        memory.free(trigger)
        #expect(text() == "start new end")
        memory.replace(Array("absent".utf8), with: Array("ABSENT".utf8), onFreeing: packet)
        memory.free(packet)
    }
}
