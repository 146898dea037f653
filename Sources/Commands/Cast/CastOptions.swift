import Arguments
import Core
import Recording

/// The options shared by commands that convert or edit recordings.
struct CastOptions {
    private static let format = Option(
        "format",
        .choice("FORMAT", [RecordingFormat.v3, .v2]),
        summary: "write this version; the default is the version of FILE, or v3 if FILE is v1"
    )
    private let format: RecordingFormat?
    private let result: CastResult
    let policy: RecordingPolicy

    static let explanation =
        CastOperand.explanation
        + " The result is written to standard output, so that commands can be combined in a pipe, or to the --output "
        + "file, which appears only when it is complete. Event codes and header keys that vt does not know are "
        + "preserved."

    /// The options of commands that edit a recording.
    static let all: [any CommandOption] = [format] + CastResult.options + [CastOperand.lenient]

    static let exitCodes = CastOperand.exitCodes + [.exists, .cannotCreate]

    /// Parses the options; if `format` is not given, the extension of the output file determines the format.
    ///
    /// If the extension is unknown or missing, the format is `standard`. If `standard` is nil, the extension is
    /// ignored, and the format of the first input file is kept.
    ///
    /// - Throws: `usage` when the output file has the extension of an image or an HTML page.
    init(
        _ call: Call,
        format option: Option<RecordingFormat?> = format,
        standard: RecordingFormat? = nil
    ) throws(VTError) {
        result = try CastResult(call)
        if let given = call[option] {
            format = given
        } else {
            var named: RecordingFormat?
            if let path = result.path { named = try RecordingFormat(fileName: path) }
            // Commands that edit a recording keep its version.
            format = standard == nil ? nil : named ?? standard
        }
        policy = CastOperand.policy(call)
    }

    /// Reads files, edits their contents and writes the result.
    func run(_ files: [RecordingFile], _ edit: some RecordingEdit, in context: Context) async throws(VTError) {
        for file in files { file.progress = { context.diagnostics.progress($0) } }
        let job = RecordingJob(files, edit, as: format)
        try await result.write(in: context) { write throws(VTError) in try job.run(write) }
    }
}
