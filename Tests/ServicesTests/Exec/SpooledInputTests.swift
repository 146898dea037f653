import Core
import Runtime
import TestSupport
import Testing
@testable import Services

@Suite struct SpooledInputTests {
    private static let chunk = [UInt8](repeating: 7, count: 1000)

    /// Reads this many bytes.
    private func read(_ count: Int, from reader: any ByteSource) async throws -> Int {
        var total = 0
        while total < count, let bytes = try await reader.read() { total += bytes.count }
        return total
    }

    @Test func `pauses while a reader is too far behind`() async throws {
        let source = EndlessSource(Self.chunk)
        let input = SpooledInput(source, readerCount: 2, limitBytes: 10_000)
        let (fast, slow) = (input.reader(), input.reader())
        let filling = Task { await input.fill() }
        #expect(try await read(10_000, from: fast) == 10_000)
        #expect(await eventually { source.count == 11 })
        #expect(try await read(5000, from: slow) >= 5000)
        #expect(try await read(5000, from: fast) >= 5000)
        filling.cancel()
        await filling.value
    }

    @Test func `a reader that no longer exists does not pause the others`() async throws {
        let input = SpooledInput(EndlessSource(Self.chunk), readerCount: 2, limitBytes: 10_000)
        let fast = input.reader()
        var others = [input.reader()]
        let filling = Task { await input.fill() }
        #expect(try await read(10_000, from: fast) == 10_000)
        others.removeAll()
        #expect(try await read(1_000_000, from: fast) >= 1_000_000)
        filling.cancel()
        await filling.value
    }

    @Test func `fails if readers that have not started would need more than the limit`() async throws {
        let input = SpooledInput(EndlessSource(Self.chunk), readerCount: 2, limitBytes: 10_000)
        let first = input.reader()
        await input.fill()
        let error = await #expect(throws: VTError.self) { try await read(.max, from: first) }
        #expect(error?.code == .io)
        #expect(error?.hint?.contains("--parallel") == true)
        let second = input.reader()
        let late = await #expect(throws: VTError.self) { _ = try await second.read() }
        #expect(late == error)
    }

    @Test func `a reader that starts late gets the whole input`() async throws {
        let input = SpooledInput(EndlessSource(Self.chunk, limit: 9), readerCount: 2, limitBytes: 10_000)
        let first = input.reader()
        await input.fill()
        #expect(try await read(.max, from: first) == 9000)
        #expect(try await read(.max, from: input.reader()) == 9000)
    }
}

/// Returns the same bytes forever, or a limited number of times.
private final class EndlessSource: ByteSource {
    private let bytes: [UInt8]
    private let limit: Int
    private let reads = Monitor(0)

    init(_ bytes: [UInt8], limit: Int = .max) {
        self.bytes = bytes
        self.limit = limit
    }

    /// The number of reads so far.
    var count: Int { reads.withLock(\.self) }

    func read() async throws(VTError) -> [UInt8]? {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        await Task.yield()
        return number > limit ? nil : bytes
    }
}
