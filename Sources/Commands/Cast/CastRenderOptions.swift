import Arguments
import Core
import Recording
import Services

/// Parses which part of a recording to convert to a film, and its speed.
enum CastRenderOptions {
    static func film(_ arguments: ParsedArguments, framesPerSecond: Int) throws(VTError) -> FilmRequest {
        var film = FilmRequest()
        film.from = try arguments.value("from", parse: CastOperand.position)
        film.to = try arguments.value("to", parse: CastOperand.position)
        film.size = try arguments.value("size") { text throws(VTError) in try TerminalSize(parsing: text) }
        film.speed = try arguments.value("speed", parse: factor) ?? 1
        film.idleLimit = try arguments.value("idle-limit") { text throws(VTError) in try Duration(parsing: text) }
        film.framesPerSecond = try arguments.value("fps", parse: frames) ?? framesPerSecond
        return film
    }

    private static func factor(_ text: String) throws(VTError) -> Double {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isDecimal, let factor = Double(text), (0.01...1000).contains(factor) else {
            throw VTError(.usage, "'\(text)' is not a number from 0.01 to 1000")
        }
        return factor
    }

    private static func frames(_ text: String) throws(VTError) -> Int {
        guard let frames = Int(text), (1...30).contains(frames) else {
            throw VTError(.usage, "'\(text)' is not a number from 1 to 30")
        }
        return frames
    }
}
