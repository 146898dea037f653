import Core
import Terminal

/// Runs one input of the fuzzer: the first four bytes select two screen sizes, and the rest is output.
///
/// Fails if the screen depends on how the output is split, or if the emulator (with a resize in the middle of the
/// output) or a renderer traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 4 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let size = TerminalSize(columns: 1 + Int(bytes[0] % 100), rows: 1 + Int(bytes[1] % 40)),
        let other = TerminalSize(columns: 1 + Int(bytes[2] % 100), rows: 1 + Int(bytes[3] % 40))
    else { return 0 }
    let output = Array(bytes[4...])
    let middle = output.count / 2
    var whole = Emulator(size: size, scrollbackBytes: 16 << 10)
    var pieces = whole
    whole.feed(output)
    for byte in output { pieces.feed([byte]) }
    precondition(whole.screen(scrollback: 50) == pieces.screen(scrollback: 50))
    precondition(whole.takeAnswers() == pieces.takeAnswers())
    var resized = Emulator(size: size, scrollbackBytes: 16 << 10)
    resized.feed(Array(output[..<middle]))
    resized.resize(to: other)
    resized.feed(Array(output[middle...]))
    resized.resize(to: size)
    render(resized)
    return 0
}

private func render(_ emulator: Emulator) {
    let screen = emulator.screen(scrollback: 20)
    _ = TextRenderer.render(screen, joined: true)
    _ = AnsiRenderer.render(screen)
    _ = screen.json
    _ = HTMLRenderer.render(screen)
    _ = SVGRenderer.render(screen)
    var copy = Emulator(size: emulator.size, scrollbackBytes: 0)
    copy.feed(StateRenderer.render(emulator, scrollback: 10))
}
