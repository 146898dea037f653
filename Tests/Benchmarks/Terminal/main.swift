// Measures the speed of the emulator: MiB/s for four kinds of output on an 80x24 screen, fed in pieces of 4 KiB; median
// of all rounds. Also measures how fast the lines of the output are provided as text, for logs and waits, how fast escape
// sequences are removed, and how much memory a scrollback uses.
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
    ("dense colors", streams.denseColors(size)),
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

/// Feeds output to the line renderer, in pieces of 16 KiB.
func render(_ bytes: [UInt8]) {
    var renderer = LineRenderer(size: .standard)
    for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
        var part = bytes[start..<min(start + (16 << 10), bytes.count)]
        while !part.isEmpty { _ = renderer.render(&part) }
    }
}

/// Feeds output to a screen watch, in pieces of 16 KiB.
func watch(_ bytes: [UInt8]) {
    var screen = ScreenWatch(size: .standard)
    for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
        screen.feed(bytes[start..<min(start + (16 << 10), bytes.count)])
        screen.takeLines { _ in true }
    }
}

/// Removes escape sequences, in pieces of 64 KiB.
func filter(_ bytes: [UInt8], _ rules: [OutputFilter.Rule]) {
    var filter = OutputFilter(rules)
    for start in stride(from: 0, to: bytes.count, by: 64 << 10) {
        _ = filter.filter(Array(bytes[start..<min(start + (64 << 10), bytes.count)]))
    }
}

var figures = [String: [Double]]()
@MainActor func measure(_ name: String, _ bytes: [UInt8], _ work: ([UInt8]) -> Void) {
    let time = ContinuousClock().measure { work(bytes) }.components
    let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
    figures[name, default: []].append(Double(bytes.count) / Double(1 << 20) / seconds)
}

for _ in 0..<rounds {
    for kind in kinds {
        measure(kind.name, kind.bytes) { bytes in
            var emulator = Emulator(size: .standard)
            feed(bytes, to: &emulator)
        }
        measure("\(kind.name) as text", kind.bytes, render)
        measure("\(kind.name) watched", kind.bytes, watch)
        measure("\(kind.name) stripped", kind.bytes) { filter($0, [.all]) }
        measure("\(kind.name) without backgrounds", kind.bytes) { filter($0, [.backgrounds]) }
    }
}
let works = ["", " as text", " watched", " stripped", " without backgrounds"]
for name in kinds.flatMap({ kind in works.map { kind.name + $0 } }) {
    let sorted = (figures[name] ?? []).sorted()
    print(name, Int(sorted[sorted.count / 2]), "MiB/s, from", Int(sorted[0]), "to", Int(sorted[sorted.count - 1]))
}
for (name, text) in [
    ("plain", "the quick brown fox jumps over the lazy dog; "), ("colored", "\u{1B}[3Xmword \u{1B}[0m"),
] {
    var emulator = Emulator(size: .standard, scrollbackBytes: 64 << 20)
    for line in 0..<10_024 {
        let count = name == "plain" ? 2 : 16
        let part = text.replacing("X", with: String(line % 8))
        emulator.feed(Array((String(repeating: part, count: count).prefix(name == "plain" ? 79 : 4000) + "\r\n").utf8))
    }
    print(name, "scrollback of", emulator.scrollbackCount, "rows:", emulator.scrollbackBytes >> 10, "KiB")
}
