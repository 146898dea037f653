import Arguments
import Core
import Services

/// The options of `vt exec` for running on some targets after others.
enum BatchOptions {
    private static let canary = Option(
        "canary",
        ValueKind("N", parse: TargetLimit.init(parsing:)),
        summary: "run on N targets first, and on the others only if all of them succeed",
        details: "N% is a percentage of the targets. If one fails, the others are 'not run'."
    )
    private static let rolling = Option(
        "rolling",
        ValueKind("N", parse: TargetLimit.init(parsing:)),
        summary: "run in batches of N targets, each when the one before has finished",
        details: "N% is a percentage of the targets. At most --parallel targets of a batch run at once. Failures stop "
            + "the run only if another option says so, such as --stop-on-failure."
    )
    private static let pause = Option(
        "pause",
        .duration,
        summary: "wait between the batches of --rolling and --canary"
    )

    static let options: [any CommandOption] = [canary, rolling, pause]

    /// Returns the batches that the options specify.
    static func batches(_ call: Call) throws(VTError) -> ExecBatches {
        let batches = ExecBatches(canary: call[canary], size: call[rolling], pause: call[pause])
        guard batches.pause == nil || batches.canary != nil || batches.size != nil else {
            throw VTError(.usage, "--pause requires --rolling or --canary")
        }
        return batches
    }
}
