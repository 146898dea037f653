import Core
import Runtime
import Services

/// Completes `PROFILE:PATH` over a connection that is already shared.
///
/// It neither opens a connection nor reads secrets that could require an action of the user.
struct FileCompletion: Sendable {
    private let context: Context

    /// How long a server may take to answer.
    private static let timeout = Duration.seconds(1)
    /// The maximum number of files that are read from a directory.
    private static let limit = 10_000

    init(in context: Context) {
        self.context = context
    }

    /// Returns the candidates that start with `prefix`, sorted; directories end in '/'.
    ///
    /// Before the colon, these are the profiles. Nothing is returned if the server cannot be asked, or is late.
    func candidates(_ prefix: String) async -> [String] {
        guard let operand = try? FileOperand(parsing: ByteString(prefix)), let target = operand.target else {
            let names = (try? context.world.profiles().load())?.keys.sorted() ?? []
            return names.filter { $0.hasPrefix(prefix) }.map { $0 + ":" }
        }
        let slash = prefix.utf8.lastIndex(of: UInt8(ascii: "/"))
        let colon = prefix.utf8.index(prefix.startIndex, offsetBy: target.utf8.count)
        let start = max(slash ?? colon, colon)
        // A URL without a path.
        guard start < prefix.endIndex else { return [] }
        let head = String(prefix[...start])
        let name = String(prefix[prefix.utf8.index(after: start)...])
        guard let directory = try? FileOperand(parsing: ByteString(head)), let place = try? place(of: directory) else {
            return []
        }
        return await entries(of: directory.path, in: place)
            .filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
            .map { head + $0 }
            .sorted()
    }

    /// Returns the place of a directory; nil unless it can be listed without opening a connection.
    private func place(of directory: FileOperand) throws(VTError) -> FileService.Place? {
        guard let target = directory.target, !target.isEmpty else { return nil }
        let parsed = try Target(parsing: target)
        guard let (profile, plan) = try context.planResolver().resolve(parsed, options: HostSettings()) else {
            return .local
        }
        guard plan.ssh?.sharing != nil, try hasReadableSecrets(profile) else { return nil }
        return .remote(plan.mapSSH { $0.sharing?.isRequired = true })
    }

    /// Whether the secrets of a profile and its jump hosts can be read without a password manager, which could prompt.
    private func hasReadableSecrets(_ profile: Profile?) throws(VTError) -> Bool {
        let all = try context.world.profiles().load()
        var next = profile
        var seen: Set<String> = []
        while let profile = next, seen.insert(profile.name).inserted {
            for source in [profile.password, profile.passphrase] {
                switch source {
                case .none, .environment, .file: continue
                case .stored, .command: return false
                }
            }
            next = profile.jump.flatMap { all[$0] }
        }
        return true
    }

    /// Returns the names in a directory; none if they cannot be read in time.
    ///
    /// A task that is still waiting for the server ends with this process.
    private func entries(of path: ByteString, in place: FileService.Place) async -> [String] {
        let (service, clock) = (FileService(context.world), context.world.clock)
        let result = FirstResult<[String]>()
        let reading = Task.onCurrentExecutor {
            let found = try? await service.withFiles(of: place) { system throws(VTError) in
                try await system.entries(of: path, limit: Self.limit).entries
            }
            result.provide((found ?? []).compactMap(Self.name))
        }
        let timer = Task.onCurrentExecutor {
            // Without a timer, there is no limit.
            try? await clock.sleep(for: Self.timeout)
            result.provide([])
        }
        let names = await result.value(orIfCanceled: [])
        timer.cancel()
        reading.cancel()
        return names
    }

    /// The name of an entry; nil if a shell could not show it on one line.
    private static func name(_ entry: DirectoryEntry) -> String? {
        let name = entry.name.repairedText
        guard ByteString(name) == entry.name, name.sanitized == name else { return nil }
        return name + (entry.attributes.kind == .directory ? "/" : "")
    }
}
