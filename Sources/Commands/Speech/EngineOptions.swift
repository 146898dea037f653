import Arguments
import Core
import Speech
import Storage
import System

/// The options that select an engine for speech, and what it is given.
struct EngineOptions {
    static let engine = Option(
        "engine",
        .text("ENGINE", completion: .none),
        summary: "send the audio to this server or program: a URL, or 'command:WORDS'",
        details: "Without this option, VT_STT_ENGINE in the environment is used."
    )
    private static let api = Option(
        "api",
        .choice("API", ServerPlan.API.allCases),
        default: ServerPlan.API.vibewave.rawValue,
        summary: "set the form of requests to a server",
        details: "'vibewave' sends only the file; 'openai' adds the model and the language."
    )
    private static let model = Option("model", .text("NAME"), summary: "name the model, with --api openai")
    private static let language = Option(
        "language",
        ValueKind("CODE", parse: code),
        summary: "name the language of the speech, such as 'en'"
    )
    private static let token = SecretOptions(name: "token")
    private static let authorities = Option(
        "ca",
        .file,
        summary: "trust only certificates of the authorities in this file (PEM), not those of the system"
    )
    private static let plainHTTP = Option.flag("plain-http", summary: "send the token to other machines without TLS")

    static let variable = "VT_STT_ENGINE"
    static let options: [any CommandOption] =
        [engine, api, model, language, authorities] + token.options + [plainHTTP]

    private static let openAIPath = "/v1/audio/transcriptions"

    let language: String?
    private let given: EngineAddress?
    private let api: ServerPlan.API
    private let model: String?
    private let token: SecretSource?
    private let authorities: String?
    private let allowsPlainHTTP: Bool
    /// An option that only servers have.
    private let serverOption: String?

    init(_ call: Call) throws(VTError) {
        given = try call[Self.engine].map { text throws(VTError) in try EngineAddress(parsing: text) }
        api = call[Self.api] ?? .vibewave
        model = call[Self.model]
        language = call[Self.language]
        token = try Self.token.source(in: call)
        authorities = call[Self.authorities]
        allowsPlainHTTP = call[Self.plainHTTP]
        let serverOptions: [any CommandOption] =
            [Self.api, Self.model, Self.authorities] + Self.token.options + [Self.plainHTTP]
        serverOption = serverOptions.first { call.contains($0) }?.long
        // The variable is checked when the command runs.
        if let given { try check(given) }
    }

    private static func code(_ text: String) throws(VTError) -> String {
        let isCode = text.utf8.allSatisfy { Unicode.Scalar($0).properties.isAlphabetic || $0 == UInt8(ascii: "-") }
        guard isCode, (2...35).contains(text.utf8.count) else {
            throw VTError(.usage, "invalid language '\(text)'", hint: "use a code such as en or pt-BR")
        }
        return text
    }

    /// Returns the engine of the option or the variable.
    ///
    /// - Throws: `usage` when there is none, and when it does not fit the other options.
    func address(in context: Context) throws(VTError) -> EngineAddress {
        if let given { return given }
        guard let text = context.console.environment[Self.variable] else {
            throw VTError(
                .usage,
                "no engine is specified",
                hint: "use --engine ENGINE, or set \(Self.variable) in the environment"
            )
        }
        do throws(VTError) {
            let address = try EngineAddress(parsing: text)
            try check(address)
            return address
        } catch {
            var error = error
            error.message = "\(Self.variable): \(error.message)"
            throw error
        }
    }

    private func check(_ address: EngineAddress) throws(VTError) {
        switch address {
        case .server(let server): try check(server)
        case .program(let program):
            if let serverOption { throw VTError(.usage, "--\(serverOption) is only for servers") }
            guard program.uses(.language) == (language != nil) else {
                let problem = language == nil ? "{language} requires --language" : "--language requires {language}"
                throw VTError(.usage, "\(problem) in 'command:...'")
            }
        }
    }

    private func check(_ server: HTTPAddress) throws(VTError) {
        guard authorities == nil || server.isSecure else { throw VTError(.usage, "--ca is only for https") }
        switch api {
        case .vibewave:
            if model != nil { throw VTError(.usage, "--model requires --api openai") }
            if language != nil { throw VTError(.usage, "--language requires --api openai, or a program") }
        case .openai:
            guard let model, !model.isEmpty, !model.unicodeScalars.contains(where: \.isUnsafeForTerminals) else {
                throw VTError(.usage, "--api openai requires --model NAME")
            }
            guard server.path.hasSuffix(Self.openAIPath) else {
                throw VTError(
                    .usage,
                    "the address for --api openai does not end in '\(Self.openAIPath)'",
                    hint: "use http://HOST\(Self.openAIPath)"
                )
            }
        }
        guard token == nil || server.isSecure || server.isLoopback || allowsPlainHTTP else {
            throw VTError(
                .usage,
                "a token is not sent to another machine without TLS",
                hint: "use https, or add --plain-http if the network is trusted"
            )
        }
    }

    /// Returns how to ask the engine; reads the token.
    func plan(for address: EngineAddress, grammar: [UInt8]?, in context: Context) async throws(VTError) -> EnginePlan {
        switch address {
        case .server(let server):
            let reader = token == nil ? nil : try context.secretReader()
            let token = try await reader?.secret(named: "token", from: token ?? .none)
            var plan = try ServerPlan(server, api: api, model: model, language: language, token: token)
            plan.authorities = authorities
            return .server(plan)
        case .program(let program):
            return .program(program, language: language, grammar: grammar)
        }
    }
}
