import Core

/// How to ask an engine.
package enum EnginePlan: Sendable {
    case server(ServerPlan)
    /// The grammar is nil unless the program uses one.
    case program(ProgramTemplate, language: String?, grammar: [UInt8]?)
}

/// How to ask a server.
package struct ServerPlan: Sendable {
    /// The form of a request.
    package enum API: String, CaseIterable, Sendable {
        /// Only the file, as a VibeWave server and whisper.cpp's server expect it.
        case vibewave
        /// The file, the model and the language: OpenAI's and compatible servers.
        case openai
    }

    let address: HTTPAddress
    let api: API
    let model: String?
    let language: String?
    let token: Secret?
    /// The PEM file of the authorities to trust; nil means those of the system.
    package var authorities: String?

    /// - Throws: `config` for a token that cannot be sent.
    package init(
        _ address: HTTPAddress,
        api: API,
        model: String?,
        language: String?,
        token: Secret?
    ) throws(VTError) {
        // RFC 6750 §2.1 allows fewer characters.
        guard token?.bytes.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw VTError(.config, "the token contains a space, or a character that is not ASCII")
        }
        self.address = address
        self.api = api
        self.model = model
        self.language = language
        self.token = token
    }
}
