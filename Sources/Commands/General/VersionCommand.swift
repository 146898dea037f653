import Arguments
import Core
import Services

/// Shows the version: `vt version`.
package enum VersionCommand: Command {
    package static let spec = CommandSpec(
        ["version"],
        summary: "show the version of vt",
        description: [
            "Prints the name and version. With --json, also prints the versions of the libraries in use, determined "
                + "at run time."
        ],
        examples: [
            ExampleSpec("vt version", "show the version"),
            ExampleSpec("vt version --json", "show the version of vt and its libraries as JSON"),
        ]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        if context.global.json {
            let libraries = try context.world.libraries().map { ($0.name, $0.version) }
            try context.output.json(Document(version: Release.version, libraries: Dictionary(libraries) { $1 }))
        } else {
            try context.output.text("vt \(Release.version)")
        }
        return 0
    }

    struct Document {
        let version: String
        let libraries: [String: String]
    }
}

extension VersionCommand.Document: JSONDocument {
    static let documentName = "version"
    static let documentSummary = "the version of vt"

    static let fields: JSONTable<Self> = [
        .field("version", \.version, "version of vt"),
        .field("libraries", \.libraries, "versions of the libraries in use, by name"),
    ]
}
