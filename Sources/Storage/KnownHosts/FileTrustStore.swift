import Core
import Glibc
import System

/// A trust store based on known_hosts files: vt's own file, OpenSSH's files, which are only read, and files that the
/// user specifies.
package struct FileTrustStore: TrustStore {
    let ownFile: String
    private let home: String?
    private let globalFiles: [String]
    private let diagnostics: any Diagnostics
    private let lockTimeout: Duration
    private let reader = KnownHostsReader()

    /// The files that OpenSSH reads by default for all users (ssh_config(5), GlobalKnownHostsFile).
    package static let systemFiles = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]

    /// Missing files count as empty; the directory of vt's own file is created when the first key is stored.
    ///
    /// OpenSSH's files for the user are in the home directory, if there is one (ssh_config(5), UserKnownHostsFile).
    package init(
        ownFile: String,
        home: String?,
        globalFiles: [String] = FileTrustStore.systemFiles,
        diagnostics: any Diagnostics,
        lockTimeout: Duration = FileLock.timeout
    ) {
        self.ownFile = ownFile
        self.home = home
        self.globalFiles = globalFiles
        self.diagnostics = diagnostics
        self.lockTimeout = lockTimeout
    }

    package func files(for lookup: HostKeyLookup) -> [String] {
        let names = ["known_hosts", "known_hosts2"]
        let user = lookup.userFiles ?? [ownFile] + (userDirectory.map { path in names.map { "\(path)/\($0)" } } ?? [])
        var files: [String] = []
        for file in user + (lookup.globalFiles ?? globalFiles) + [lookup.additionalFile].compactMap(\.self)
        where !files.contains(file) {
            files.append(file)
        }
        return files
    }

    /// The directory of OpenSSH's files for the user.
    private var userDirectory: String? { home.map { "\($0)/.ssh" } }

    package func knownKeyTypes(for endpoint: Endpoint, in lookup: HostKeyLookup) throws(VTError) -> [String] {
        try decision(endpoint, lookup).keyTypes
    }

    package func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        in lookup: HostKeyLookup
    ) throws(VTError) -> TrustVerdict {
        try checkRestrictions(on: key, of: endpoint, in: lookup)
        if case .pin(let expected) = policy { return try check(key, for: endpoint, pinned: expected) }
        let decision = try decision(endpoint, lookup)
        guard try isNew(key, decision) else { return .known }
        // Stored first, because the caller tries again if the lock is not free, and notes must not be repeated.
        let verdict = policy == .acceptNew ? try store(key, for: endpoint, lookup) : nil
        for authority in decision.authorities {
            diagnostics.note(
                "skipped '\(authority.file)' line \(authority.line): it is a certificate authority for '\(endpoint)', "
                    + "but vt cannot verify certificates"
            )
        }
        guard let verdict else { throw decision.unknown(key) }
        if verdict != .known {
            diagnostics.note(
                "\(verdict.rawValue) the new host key of '\(endpoint)': \(key.type) \(fingerprint(of: key))"
            )
        }
        return verdict
    }

    /// Returns true if the host is new, and false if the key is known; otherwise, throws an error.
    private func isNew(_ key: HostKey, _ decision: HostKeyDecision) throws(VTError) -> Bool {
        switch try decision.standing(of: key) {
        case .known: false
        case .new: true
        case .otherTypeKnown: throw decision.otherType(key)
        }
    }

    package func fingerprint(of key: HostKey) -> String {
        Digests.fingerprint(key.blob)
    }

    private func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        pinned expected: String
    ) throws(VTError) -> TrustVerdict {
        let shown = fingerprint(of: key)
        guard shown == expected else {
            throw VTError(
                .hostKeyChanged,
                "the host key of '\(endpoint)' is not the pinned one: expected \(expected), "
                    + "received \(key.type) \(shown)",
                hint: "to see the keys that the server offers, use 'vt host scan \(endpoint)'"
            )
        }
        return .pinned
    }

    // MARK: - Files

    /// The decision about a host, based on all files, without the entries for which `isLeftOut` returns true.
    func decision(
        _ endpoint: Endpoint,
        _ lookup: HostKeyLookup,
        without isLeftOut: (KnownHostsEntry) -> Bool = { _ in false }
    ) throws(VTError) -> HostKeyDecision {
        let files = try files(matching: HostKeyDecision.names(of: endpoint, lookup), lookup)
        let name = lookup.name(of: endpoint)
        if let line = files.lazy.flatMap(\.damagedLines).first(where: { $0.bears(on: name) }) { throw line.refusal }
        reportDamage(in: files)
        let entries = files.flatMap(\.entries).filter { !isLeftOut($0) }
        return HostKeyDecision(endpoint, lookup, entries: entries, ownFile: ownFile)
    }

    /// The entries for these host names, or for all hosts if `names` is nil, from every existing file.
    ///
    /// - Throws: `io`; `config` when other users own or can change vt's own file; `not-found` for a missing additional
    ///   file.
    func files(matching names: [String]?, _ lookup: HostKeyLookup) throws(VTError) -> [KnownHostsFile] {
        var usual = lookup
        usual.additionalFile = nil
        let optional = self.files(for: usual)
        var files: [KnownHostsFile] = []
        for path in self.files(for: lookup) {
            if path == ownFile { _ = try TrustedPath.open(ownFile) }
            if let file = try reader.contents(of: path, matching: names) {
                files.append(file)
            } else if !optional.contains(path) {
                throw VTError(
                    .notFound,
                    "cannot open known_hosts file '\(path)': no such file or directory",
                    hint: "specify an existing file; for a profile: vt profile edit PROFILE --known-hosts FILE, "
                        + "or --unset known-hosts"
                )
            }
        }
        return files + listed(lookup, matching: names)
    }

    /// The entries that the command of the lookup has printed.
    private func listed(_ lookup: HostKeyLookup, matching names: [String]?) -> [KnownHostsFile] {
        guard !lookup.listedKeys.isEmpty else { return [] }
        var file = KnownHostsParser.parse(lookup.listedKeys, file: HostKeyLookup.commandName)
        if let names { file.entries.removeAll { !names.contains(where: $0.matches) } }
        return [file]
    }

    /// Reports the damaged lines of each file once.
    func reportDamage(in files: [KnownHostsFile]) {
        for file in files {
            guard let first = file.damagedLines.first, reader.claimNotice(of: file.path) else { continue }
            let others = file.damagedLines.count - 1
            let further = others == 0 ? "" : " (and \(others) more)"
            diagnostics.note("skipped '\(file.path)' line \(first.line): \(first.reason)\(further)")
        }
    }

    /// Runs `body` while holding the lock on vt's own file; waits for the lock for `timeout`, by default `lockTimeout`.
    func locked<Result>(
        within timeout: Duration? = nil,
        _ body: () throws(VTError) -> Result
    ) throws(VTError) -> Result {
        try TrustedPath.make(directory: FileContents.directory(of: ownFile))
        return try FileLock(at: ownFile + ".lock", timeout: timeout ?? lockTimeout).hold(body)
    }

    /// Stores a new key where the lookup specifies, unless another process has stored it in the meantime.
    private func store(_ key: HostKey, for endpoint: Endpoint, _ lookup: HostKeyLookup) throws(VTError) -> TrustVerdict
    {
        let files = lookup.userFiles ?? [ownFile]
        guard let file = files.first, file != "/dev/null" else { return .accepted }
        do throws(VTError) {
            return try locked(within: .zero) { () throws(VTError) in
                guard try isNew(key, decision(endpoint, lookup)) else { return .known }
                do throws(VTError) {
                    // Like ssh, which creates no other missing directory.
                    if let directory = userDirectory, file.hasPrefix(directory + "/") {
                        try TrustedPath.make(directory: directory, isOwn: false)
                    }
                    let isHashed = lookup.hashesNames && file != ownFile
                    try append(key, as: lookup.name(of: endpoint), to: file, isHashed: isHashed)
                    return .stored
                } catch {
                    guard error.code != .config else { throw error }
                    return accepted(endpoint, unstoredBecause: error)
                }
            }
        } catch {
            // The lock cannot be created if vt's own directory is not writable. That is not an error, nor is any
            // problem with vt's directory if the user specified other files.
            let isUnwritable = error.code == .cannotCreate || lookup.userFiles != nil
            guard isUnwritable, ![.hostKeyChanged, .hostKeyUnknown, .busy].contains(error.code) else { throw error }
            return accepted(endpoint, unstoredBecause: error)
        }
    }

    /// Reports that a new key is accepted without being stored: as in ssh(1), a known_hosts file that is readable but
    /// not writable is not an error.
    private func accepted(_ endpoint: Endpoint, unstoredBecause error: VTError) -> TrustVerdict {
        diagnostics.note("cannot store the host key of '\(endpoint)': \(error.message)")
        return .accepted
    }

    /// Appends a line with a single write, so that readers never see part of it; the lock must be held.
    func append(_ key: HostKey, as name: String, to path: String, isHashed: Bool = false) throws(VTError) {
        guard KnownHostsEntry.isPlainName(name) else {
            throw VTError(.config, "invalid host name for known_hosts: '\(name)'")
        }
        let names = isHashed ? KnownHostsEntry.hashed(name) : name
        let line = Array("\(names) \(key.type) \(Base64.encode(key.blob))\n".utf8)
        let file = try OpenFile(opening: path, O_RDWR | O_APPEND | O_CREAT, failure: .cannotCreate)
        var before = try file.status()
        if path == ownFile, before.st_mode & 0o7777 != 0o600 {
            try file.setMode(0o600)
            before = try file.status()
        }
        var isTorn = false
        if before.st_size > 0 {
            isTorn = try file.read(at: before.st_size - 1, limit: 1) != [UInt8(ascii: "\n")]
        }
        do throws(VTError) {
            try file.writeAll((isTorn ? [UInt8(ascii: "\n")] : []) + line)
            try file.synchronize()
        } catch {
            // An incomplete line would make the file malformed.
            file.truncate(to: before.st_size)
            throw error
        }
        // If the file ended with a torn line, it must be read again: the cached contents do not include the end of that
        // line.
        if !isTorn { reader.appended(line, to: path, before: before, after: try file.status()) }
    }
}
