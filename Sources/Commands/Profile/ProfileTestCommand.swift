import Arguments
import Core
import Services

/// Tests the connection to a profile's server: `vt profile test NAME`.
package enum ProfileTestCommand: Command {
    private static let name = Operand("NAME", completion: .profile)

    package static let spec = CommandSpec(
        ["profile", "test"],
        summary: "test the connection to a saved server step by step",
        description: [
            "Prints a line for each step: resolving the name, connecting, the server's identification, the key "
                + "exchange and its algorithms, the host key, authentication, and whether vt is installed on the "
                + "server. The first step that fails determines the exit status.",
            "The key of a new host is stored, as with any connection.",
        ],
        operands: [name],
        options: [SharedOptions.connectTimeout] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt profile test web", "test each step, and show which one fails, if any"),
            ExampleSpec("vt profile test web --json | jq -r .vt", "print the version of vt on the server"),
        ],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try Target(parsing: call[name])
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let name = call[Self.name]
        var options = context.connection
        // A shared connection would skip the steps that are tested.
        options.shareTimeout = .zero
        guard let (profile, plan) = try context.planResolver().resolve(Target(parsing: name), options: options),
            profile != nil
        else {
            // Throws if there is no such profile.
            _ = try context.profileService().profile(name)
            throw VTError(.internal, "cannot determine how to connect to '\(name)'")
        }
        let report = await ConnectionTest(context.world).run(plan)
        try show(report, of: plan, in: context)
        if let failure = report.failure { throw failure }
        try context.profileService().recordConnections(to: [plan.name], diagnostics: context.diagnostics)
        return 0
    }

    private static func show(
        _ report: ConnectionTest.Report,
        of plan: ConnectionPlan,
        in context: Context
    ) throws(VTError) {
        guard !context.global.json else {
            return try context.output.json(Document(report: report, plan: plan))
        }
        var table = TextTable(["SERVER", "STEP", "RESULT", "DETAIL"])
        for finding in report.findings {
            table.add([finding.name, finding.step.rawValue, finding.isDone ? "ok" : "failed", finding.detail])
        }
        try context.output.table(table)
    }

    struct Document {
        let report: ConnectionTest.Report
        let plan: ConnectionPlan
    }
}

extension ProfileTestCommand.Document: JSONDocument {
    static let documentName = "connection test"
    static let documentSummary = "a test of the connection to a server"

    static let fields: JSONTable<Self> = [
        .field("profile", \.plan.name, "name of the profile"),
        .field("host", \.plan.ssh?.endpoint.host, "host name or address; absent if SSH is not used"),
        .field("port", \.plan.ssh?.endpoint.port, "port; absent if SSH is not used"),
        .field("user", \.plan.ssh?.user, "user name on the server; absent if SSH is not used"),
        .field("steps", \.report.findings, "steps in the order in which they were attempted"),
        .field("vt", \.report.remoteVersion, "version of vt on the server, if it is installed"),
    ]
}

extension ConnectionTest.Finding: JSONDocument {
    package static let documentName = "test step"
    package static let documentSummary = "a step of a connection test"

    package static let fields: JSONTable<Self> = [
        .field("server", \.name, "server that was tested: the profile or a jump host"),
        .field("step", \.step, "step; `vt`: whether vt is installed"),
        .field("ok", \.isDone, "whether the step succeeded"),
        .field("detail", \.detail, "result of the step, or why it failed"),
    ]
}
