import Core
import Testing

struct StoredBytesTests {
    @Test func `parts of parts`() throws {
        let bytes = StoredBytes(Array(0..<100))
        #expect(try bytes[10..<50][5..<8].read() == [15, 16, 17])
        #expect(try bytes[10..<50].read() == Array(10..<50))
        #expect(try bytes[100..<100].read() == [] && StoredBytes([]).read() == [])
    }

    @Test(arguments: [0, 1, 64 << 10, 64 << 10 + 1, 200_000])
    func `chunks are all of the bytes`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let chunks = Array(StoredBytes(bytes).chunks)
        #expect(try chunks.flatMap { try $0.read() } == bytes)
        #expect(chunks.allSatisfy { (1...64 << 10).contains($0.count) })
    }
}
