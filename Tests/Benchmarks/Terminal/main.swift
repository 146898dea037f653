// How fast the emulator is: MiB/s of four kinds of output on a screen of 80x24, in pieces of 4 KiB; median of rounds.
//
// usage: terminal-bench [ROUNDS [KIND]]

import Core
import Terminal

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 5 : 5
let only = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
let size = 16 << 20
var streams = Streams(seed: 1)
let kinds: [(name: String, bytes: [UInt8])] = [
    ("log lines", streams.logLines(size)),
    ("dense colours", streams.denseColors(size)),
    ("wide text", streams.wideText(size)),
    ("full redraws", streams.redraws(size)),
].filter { only == nil || only == $0.0 }

func feed(_ bytes: [UInt8], to emulator: inout Emulator) {
    let span = bytes.span
    var start = 0
    while start < span.count {
        let end = min(start + 4096, span.count)
        emulator.feed(span.extracting(start..<end))
        start = end
    }
}

var figures = [String: [Double]]()
for _ in 0..<rounds {
    for kind in kinds {
        var emulator = Emulator(size: .standard)
        let start = ContinuousClock.now
        feed(kind.bytes, to: &emulator)
        let seconds =
            Double((ContinuousClock.now - start).components.attoseconds) / 1e18
            + Double((ContinuousClock.now - start).components.seconds)
        figures[kind.name, default: []].append(Double(kind.bytes.count) / Double(1 << 20) / seconds)
    }
}
for kind in kinds {
    let sorted = (figures[kind.name] ?? []).sorted()
    print(kind.name, Int(sorted[sorted.count / 2]), "MiB/s, from", Int(sorted[0]), "to", Int(sorted[sorted.count - 1]))
}
for (name, text) in [
    ("plain", "the quick brown fox jumps over the lazy dog; "), ("coloured", "\u{1B}[3Xmword \u{1B}[0m"),
] {
    var emulator = Emulator(size: .standard, scrollbackBytes: 64 << 20)
    for line in 0..<10_024 {
        let count = name == "plain" ? 2 : 16
        let part = text.replacing("X", with: String(line % 8))
        emulator.feed(Array((String(repeating: part, count: count).prefix(name == "plain" ? 79 : 4000) + "\r\n").utf8))
    }
    print(name, "scrollback of", emulator.scrollbackCount, "rows:", emulator.scrollbackBytes >> 10, "KiB")
}
