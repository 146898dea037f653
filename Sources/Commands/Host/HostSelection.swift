import Arguments
import Core
import Services

/// The servers a `vt host` command acts on: profiles, hosts, or the profiles with a tag.
struct HostSelection: Sendable {
    /// A selected server.
    struct Host: Sendable {
        /// The name in messages: the profile, or the host as written.
        var name: String
        var endpoint: Endpoint
        /// Nil for an unsaved server.
        var profile: String?
        /// Where the keys of the server are looked up.
        var lookup = HostKeyLookup()
    }

    /// The sentences about HOST that begin the description of each command with this operand.
    static let explanation =
        "HOST is a profile, or a server as HOST[:PORT], with an IPv6 address in brackets if a port follows. A word "
        + "that could be either is treated as a profile; web:22 is never a profile. With --tag, omit HOST: all "
        + "profiles with that tag are selected."

    static let tag = Option(
        "tag",
        .text("TAG", completion: .tag),
        summary: "select all profiles with this tag; if repeated, with all of the tags"
    ).repeatable()

    static let host = operand(.one)
    static let anyHosts = operand(.zeroOrMore)
    static let hosts = operand(.oneOrMore)

    private static func operand(_ arity: OperandSpec.Arity) -> Operand<[String]> {
        let host = Operand("HOST", completion: .knownHost) { word throws(VTError) in
            if (try? ProfileName(word)) == nil { _ = try Endpoint(argument: word) }
            return word
        }
        return host.list(arity, omittedWith: [tag])
    }

    private let words: [String]
    private let tags: [String]

    init(_ call: Call) {
        words = call[Self.hosts]
        tags = call[Self.tag]
    }

    /// Whether nothing was selected; commands that list keys then list all of them.
    var isEmpty: Bool { words.isEmpty && tags.isEmpty }

    /// The servers, without duplicates.
    ///
    /// - Throws: `not-found` when no profile has the tag; errors of the profile store.
    func hosts(in context: Context) throws(VTError) -> [Host] {
        guard tags.isEmpty else {
            let profiles = try context.profileService().list(tags: tags).filter { $0.transport == .ssh }
            guard !profiles.isEmpty else {
                throw VTError(
                    .notFound,
                    "no profile is tagged '\(tags.joined(separator: "' and '"))'",
                    hint: "see 'vt profile list'"
                )
            }
            return try profiles.map { profile throws(VTError) in try Self.host(of: profile, in: context) }
        }
        let profiles = try context.world.profiles().load()
        var names: Set<String> = []
        var hosts: [Host] = []
        for word in words where names.insert(word).inserted {
            if let profile = profiles[word] {
                guard profile.transport == .ssh else {
                    throw VTError(
                        .usage,
                        "'\(word)' has no host keys: its profile uses \(profile.transport.option) instead of SSH"
                    )
                }
                hosts.append(try Self.host(of: profile, in: context))
            } else {
                hosts.append(Host(name: word, endpoint: try Endpoint(argument: word), profile: nil))
            }
        }
        return hosts
    }

    private static func host(of profile: Profile, in context: Context) throws(VTError) -> Host {
        Host(
            name: profile.name,
            endpoint: profile.endpoint,
            profile: profile.name,
            lookup: try context.planResolver().lookup(of: profile)
        )
    }

    /// The maximum number of servers to contact at the same time.
    static let parallelLimit = 64
}
