/// An option of ssh_config(5), or a setting that only vt has.
///
/// As with OpenSSH's keywords in readconf.c, the same options apply to files, to `-o` and to the output of `ssh -G`.
package struct SSHOption: Sendable {
    /// The name in lower case; empty for a setting without an option.
    package private(set) var name: String
    private var formerNames: [String] = []
    package private(set) var traits: [Trait]
    /// What messages call the setting; nil if it does not apply only to SSH, or has no effect on other connections.
    private(set) var noun: String?
    private(set) var isSet: @Sendable (HostSettings) -> Bool = { _ in false }
    /// Completes the property of the first settings, if the option has one, by that of the second.
    private(set) var complete: @Sendable (inout HostSettings, HostSettings) -> Void = { _, _ in }
    private var set: @Sendable (inout HostSettings, SSHSetting) throws(VTError) -> Void
    /// The values in the output of `ssh -G`.
    private var values: @Sendable (HostSettings) -> [String] = { _ in [] }
    /// The number of words after which ssh(1) refuses further ones in a file.
    private var maximumWords = Int.max
    /// Whether ssh(1) accepts a value, in lower case, in a file; for options that vt itself does not check.
    private var accepts: @Sendable (String) -> Bool = { _ in true }

    package enum Trait: Sendable {
        /// Every occurrence applies, not only the first.
        case cumulative
        /// The option determines which server is connected to, and how.
        case decisive
        /// The option restricts what is trusted or done.
        case restricting
        /// Profiles have the setting.
        case imported
        /// The option has an effect once vt is connected, on the program or forwarding.
        case program
    }

    /// An option that changes settings in its own way; by default, it is ignored.
    init(
        _ name: String,
        _ traits: [Trait] = [],
        set: @escaping @Sendable (inout HostSettings, SSHSetting) throws(VTError) -> Void = { _, _ in }
    ) {
        (self.name, self.traits, self.set) = (name, traits, set)
    }

    /// Passes a property to a function that reads or changes it.
    ///
    /// Creating key paths for all options would take as long as the rest of a short command.
    typealias Property<Value> = @Sendable (inout HostSettings, (inout Value?) -> Void) -> Void

    /// An option that sets a property, unless its value in lower case is one of `unset`.
    ///
    /// `standard` is printed if the property is not set, and `adds` joins the values of all occurrences. Only one of the
    /// options with the same property completes it.
    static func option<Value: Sendable>(
        _ name: String,
        _ property: @escaping Property<Value>,
        _ value: SSHValue<Value>,
        _ traits: [Trait] = [],
        noun: String? = nil,
        unset: Set<String> = [],
        or standard: String? = nil,
        completes: Bool = true,
        adds: (@Sendable (Value, Value) -> Value)? = nil
    ) -> SSHOption {
        let join = { @Sendable (first: Value?, second: Value?) in
            if let adds, let first, let second { adds(first, second) } else { first ?? second }
        }
        let get = { @Sendable (settings: HostSettings) in
            var settings = settings
            var result: Value?
            property(&settings) { result = $0 }
            return result
        }
        var option = SSHOption(name, traits) { settings, setting throws(VTError) in
            guard !unset.contains(setting.value.lowercased()) else { return }
            let value = try value.value(of: setting)
            property(&settings) { $0 = adds == nil ? value : join($0, value) }
        }
        if adds != nil { option.traits.append(.cumulative) }
        option.noun = noun
        option.isSet = { get($0) != nil }
        if completes {
            option.complete = { settings, others in
                let value = get(others)
                property(&settings) { $0 = join($0, value) }
            }
        }
        option.values = { [get($0).map(value.text) ?? standard].compactMap(\.self) }
        option.maximumWords = 1
        return option
    }

    // MARK: - Modifications

    func formerly(_ names: String...) -> SSHOption {
        with { $0.formerNames = names }
    }

    /// Changes after how many words ssh(1) refuses further ones in a file.
    func limited(to words: Int) -> SSHOption {
        with { $0.maximumWords = words }
    }

    /// Restricts the values, in lower case, in files.
    func checked(_ accepts: @escaping @Sendable (String) -> Bool) -> SSHOption {
        with { $0.accepts = accepts }
    }

    func printed(_ values: @escaping @Sendable (HostSettings) -> [String?]) -> SSHOption {
        with { $0.values = { values($0).compactMap(\.self) } }
    }

    private func with(_ change: (inout SSHOption) -> Void) -> SSHOption {
        var option = self
        change(&option)
        return option
    }

    // MARK: - Use

    private static let named: [String: SSHOption] = all.reduce(into: [:]) { named, option in
        for name in [option.name] + option.formerNames where !name.isEmpty { named[name] = option }
    }

    /// The option with a name, or former name, in lower case.
    package static func named(_ name: String) -> SSHOption? { named[name] }

    /// Applies a setting.
    ///
    /// - Throws: `usage` for a malformed or unsupported value; `data.invalid` with file and line for one that ssh(1)
    ///   refuses in a file.
    func apply(_ setting: SSHSetting, to settings: inout HostSettings) throws(VTError) {
        if let place = setting.place {
            guard setting.words.count <= maximumWords else {
                throw place.error("extra arguments after '\(setting.spelling)'")
            }
            guard accepts(setting.value.lowercased()) else { throw setting.malformed() }
        }
        try set(&settings, setting)
    }

    /// The lines in the output of `ssh -G`.
    func lines(_ settings: HostSettings) -> [String] {
        values(settings).map { "\(name) \($0)" }
    }
}
