import Arguments
import Core
import Recording
import Services

/// Parses the options of an animation: the part of the recording, the size, the speed and the frame rate.
enum CastRenderOptions {
    static func film(_ arguments: ParsedArguments, framesPerSecond: Int) throws(VTError) -> FilmRequest {
        var film = FilmRequest()
        film.from = try arguments.position("from")
        film.to = try arguments.position("to")
        film.size = try arguments.terminalSize("size")
        film.speed = try arguments.factor("speed", in: 0.01...1000) ?? 1
        film.idleLimit = try arguments.duration("idle-limit")
        film.framesPerSecond = try arguments.number("fps", in: 1...30) ?? framesPerSecond
        return film
    }
}
