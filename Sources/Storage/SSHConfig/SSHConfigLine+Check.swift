import Core

/// Values that ssh(1) refuses, of keywords that are applied only after the configuration has been evaluated.
extension SSHConfigLine {
    private static let flags: Set<String> = [
        "batchmode", "canonicalizefallbacklocal", "challengeresponseauthentication", "checkhostip",
        "forkafterauthentication", "kbdinteractiveauthentication", "passwordauthentication", "permitlocalcommand",
        "proxyusefdpass", "stdinnull",
    ]

    /// The words that keywords accept instead of `yes` and `no`, or in addition.
    private static let choices: [String: Set<String>] = [
        "addressfamily": ["any", "inet", "inet6"],
        "compression": ["yes", "no"],
        "canonicalizehostname": ["yes", "true", "no", "false", "always"],
        "loglevel": [
            "quiet", "fatal", "error", "info", "verbose", "debug", "debug1", "debug2", "debug3",
        ],
        "pubkeyauthentication": ["yes", "true", "no", "false", "unbound", "host-bound"],
        "requesttty": ["yes", "true", "no", "false", "force", "auto"],
        "sessiontype": ["none", "subsystem", "default"],
    ]

    private static let numbers: Set<String> = ["canonicalizemaxdots", "numberofpasswordprompts", "requiredrsasize"]

    /// Further keywords that take exactly one argument.
    private static let single: Set<String> = [
        "bindaddress", "bindinterface", "certificatefile", "ciphers", "clearallforwardings", "connecttimeout",
        "controlpath", "dynamicforward", "exitonforwardfailure", "gatewayports", "hashknownhosts",
        "hostkeyalgorithms", "hostkeyalias", "hostname", "identitiesonly", "identityagent", "identityfile",
        "kexalgorithms", "macs", "port", "preferredauthentications", "pubkeyacceptedalgorithms", "revokedhostkeys",
        "serveralivecountmax", "serveraliveinterval", "streamlocalbindunlink", "stricthostkeychecking", "user",
    ]

    /// The number of arguments after which ssh(1) refuses further ones.
    private var argumentLimit: Int {
        let isSingle =
            Self.single.contains(keyword) || Self.flags.contains(keyword) || Self.numbers.contains(keyword)
            || Self.choices[keyword] != nil
        if isSingle { return 1 }
        return ["localforward", "remoteforward"].contains(keyword) ? 2 : .max
    }

    /// - Throws: `data.invalid` with file and line for a malformed value or too many arguments.
    func check() throws(VTError) {
        guard let value = arguments.first else { return }
        guard arguments.count <= argumentLimit else { throw error("extra arguments after '\(spelling)'") }
        let isValid =
            if Self.flags.contains(keyword) {
                SSHConfigValue.flag(value) != nil
            } else if Self.numbers.contains(keyword) {
                Int32(value).map { $0 >= 0 } ?? false
            } else {
                Self.choices[keyword]?.contains(value.lowercased()) ?? true
            }
        guard isValid else { throw error("invalid value '\(value)' for '\(spelling)'") }
        // ssh accepts a RemoteForward without a target, which vt does not support.
        guard keyword != "remoteforward" || arguments.count > 1 else { return }
        do throws(VTError) {
            var settings = ForwardSettings()
            _ = try settings.apply(keyword, numericSetting.words)
        } catch {
            throw self.error(error.message)
        }
    }
}
