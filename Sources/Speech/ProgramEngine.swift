import Core
import Runtime
import Synchronization
import System

/// Runs a program for each recording.
package struct ProgramEngine: SpeechEngine {
    private let template: ProgramTemplate
    private let language: String?
    private let grammar: [UInt8]?
    private let machine: any CommandHost

    private static let outputLimitBytes = 1 << 20
    /// The part of standard error that is kept, in bytes.
    private static let errorTailBytes = 4096
    /// The format that every program can use; others answer other rates with silence.
    private static let rate = 16_000

    package init(_ template: ProgramTemplate, language: String?, grammar: [UInt8]?, on machine: any CommandHost) {
        self.template = template
        self.language = language
        self.grammar = grammar
        self.machine = machine
    }

    package func text(of audio: SpeechAudio) async throws(VTError) -> String {
        guard let samples = audio.samples else {
            throw VTError(.dataInvalid, "\(audio.name): not a WAV file", hint: WaveFile.conversion)
        }
        guard samples.channels == 1, samples.rate == Self.rate else {
            let format = "\(samples.channels == 1 ? "mono" : "\(samples.channels) channels"), \(samples.rate) Hz"
            let problem = "a program requires mono, \(Self.rate) Hz, but this is \(format)"
            throw VTError(.dataInvalid, "\(audio.name): \(problem)", hint: WaveFile.conversion)
        }
        let directory = try PrivateDirectory()
        try directory.write(audio.parts, to: "audio.wav")
        var values: [ProgramTemplate.Placeholder: String] = [.file: "\(directory.path)/audio.wav"]
        if let grammar {
            try directory.write(grammar, to: "phrases.gram")
            values[.grammar] = "\(directory.path)/phrases.gram"
        }
        values[.language] = language
        let output = try await run(template.arguments(values))
        // The files must exist until the program has ended.
        return withExtendedLifetime(directory) { output }
    }

    private func run(_ words: [ByteString]) async throws(VTError) -> String {
        let program = template.program
        let output = BoundedSink(limitBytes: Self.outputLimitBytes)
        let errors = Mutex<[UInt8]>([])
        let streams = ProgramStreams(
            input: BytesSource([]),
            output: CallbackSink { bytes throws(VTError) in
                try await output.write(bytes)
                if output.isCut { throw VTError(.io, "'\(program)' printed more than 1 MiB") }
            },
            errorOutput: CallbackSink { bytes throws(VTError) in
                errors.withLock { $0 = ($0 + bytes).suffix(Self.errorTailBytes) }
            }
        )
        let exit = try await machine.run(ExecRequest(.arguments(words)), streams: streams)
        guard exit == .exited(0) else {
            let lines = String(decoding: errors.withLock(\.self), as: UTF8.self).split(whereSeparator: \.isNewline)
            let reason = lines.map { SpokenText.excerpt(String($0)) }.last { !$0.isEmpty }.map { ": \($0)" } ?? ""
            throw VTError(.io, "'\(program)' failed: \(exit.phrase)\(reason)")
        }
        guard let text = String(validating: output.bytes, as: UTF8.self) else {
            throw VTError(.io, "the output of '\(program)' is not UTF-8")
        }
        return text
    }
}
