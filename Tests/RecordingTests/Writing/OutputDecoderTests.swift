import Recording
import TestSupport
import Testing

struct OutputDecoderTests {
    @Test func `a split character belongs to the later piece`() {
        var decoder = OutputDecoder()
        #expect(decoder.decode([0x61, 0xE2]) == [0x61])
        #expect(decoder.decode([0x82]) == [])
        #expect(decoder.decode([0xAC, 0x62]) == Array("€b".utf8))
        #expect(decoder.finish() == [])
    }

    @Test func `ill-formed input becomes U+FFFD`() {
        var decoder = OutputDecoder()
        #expect(decoder.decode([0xFF, 0x61, 0xC0, 0x80]) == Array("\u{FFFD}a\u{FFFD}\u{FFFD}".utf8))
        #expect(decoder.decode([0xF0, 0x9F]) == [])
        #expect(decoder.finish() == Array("\u{FFFD}".utf8))
        #expect(decoder.finish() == [])
    }

    @Test(arguments: 0..<50)
    func `the text does not depend on how the output is split`(_ seed: Int) {
        var random = SeededGenerator(spreading: seed)
        let alphabet: [UInt8] = [
            0x61, 0x80, 0x82, 0x9F, 0xA0, 0xAC, 0xBF, 0xC0, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5,
        ]
        let bytes = (0..<200).map { _ in alphabet[random.next(alphabet.count)] }
        var decoder = OutputDecoder()
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let count = min(1 + random.next(5), bytes.count - position)
            text += decoder.decode(Array(bytes[position..<position + count]))
            position += count
        }
        text += decoder.finish()
        #expect(text == Array(String(decoding: bytes, as: UTF8.self).utf8))
    }
}
