import Core
import Glibc
import POSIX

/// A trust store based on known_hosts files: vt's own, the only one it writes, and those of OpenSSH.
package struct FileTrustStore: TrustStore {
    let ownFile: String
    private let otherFiles: [String]
    private let diagnostics: any Diagnostics
    private let lockTimeout: Duration
    private let reader = KnownHostsReader()

    /// Missing files count as empty; the directory of vt's own file is created when the first key is stored.
    package init(
        ownFile: String,
        otherFiles: [String],
        diagnostics: any Diagnostics,
        lockTimeout: Duration = FileLock.timeout
    ) {
        self.ownFile = ownFile
        self.otherFiles = otherFiles
        self.diagnostics = diagnostics
        self.lockTimeout = lockTimeout
    }

    /// The files that are read for every host.
    package var files: [String] { [ownFile] + otherFiles }

    /// The files that OpenSSH reads by default (ssh_config(5), UserKnownHostsFile and GlobalKnownHostsFile).
    package static func openSSHFiles(home: String) -> [String] {
        [
            "\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2",
            "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2",
        ]
    }

    package func knownKeyTypes(for endpoint: Endpoint, extraFile: String?) throws(VTError) -> [String] {
        try decision(endpoint, extraFile).keyTypes
    }

    package func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        extraFile: String?
    ) throws(VTError) -> TrustVerdict {
        if case .pin(let expected) = policy { return try check(key, for: endpoint, pinned: expected) }
        let decision = try decision(endpoint, extraFile)
        guard try isNew(key, decision) else { return .known }
        for authority in decision.authorities {
            diagnostics.note(
                "skipped '\(authority.file)' line \(authority.line): it is a certificate authority for '\(endpoint)', "
                    + "but vt cannot verify certificates"
            )
        }
        guard policy == .acceptNew else { throw decision.unknown(key) }
        let verdict = try locked { () throws(VTError) in
            // Another process may have added the host in the meantime.
            guard try isNew(key, self.decision(endpoint, extraFile)) else { return TrustVerdict.known }
            try append(key, for: endpoint)
            return .stored
        }
        if verdict == .stored {
            diagnostics.note("stored the new host key of '\(endpoint)': \(key.type) \(fingerprint(of: key))")
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
                hint: "vt host scan \(endpoint)"
            )
        }
        return .pinned
    }

    // MARK: - Files

    /// The decision about a host, based on all files, without the entries for which `isLeftOut` returns true.
    func decision(
        _ endpoint: Endpoint,
        _ extraFile: String?,
        without isLeftOut: (KnownHostsEntry) -> Bool = { _ in false }
    ) throws(VTError) -> HostKeyDecision {
        let names = HostKeyDecision.names(of: endpoint)
        let files = try files(matching: names, extraFile)
        if let line = files.lazy.flatMap(\.damagedLines).first(where: { $0.bears(on: endpoint.knownHostsName) }) {
            throw line.refusal
        }
        note(files)
        let entries = files.flatMap(\.entries).filter { !isLeftOut($0) }
        return HostKeyDecision(endpoint, entries: entries, ownFile: ownFile)
    }

    /// The entries for these host names, or for all hosts if `names` is nil, from every existing file; vt's own file first.
    ///
    /// - Throws: `io`; `config` when other users own or can change vt's own file; `not-found` for a missing extra file,
    ///   because it was requested explicitly.
    func files(matching names: [String]?, _ extraFile: String? = nil) throws(VTError) -> [KnownHostsFile] {
        _ = try TrustedPath.open(ownFile)
        var files: [KnownHostsFile] = []
        for path in [ownFile] + otherFiles {
            if let file = try reader.contents(of: path, matching: names) { files.append(file) }
        }
        guard let extraFile, extraFile != ownFile, !otherFiles.contains(extraFile) else { return files }
        guard let file = try reader.contents(of: extraFile, matching: names) else {
            throw VTError(
                .notFound,
                "cannot open known_hosts file '\(extraFile)': no such file or directory",
                hint: "specify an existing file; for a profile: vt profile edit PROFILE --known-hosts FILE, "
                    + "or --unset known-hosts"
            )
        }
        return files + [file]
    }

    /// Reports the damaged lines of each file once.
    func note(_ files: [KnownHostsFile]) {
        for file in files {
            guard let first = file.damagedLines.first, reader.claimNotice(of: file.path) else { continue }
            let others = file.damagedLines.count - 1
            let further = others == 0 ? "" : " (and \(others) more)"
            diagnostics.note("skipped '\(file.path)' line \(first.line): \(first.reason)\(further)")
        }
    }

    /// Runs `body` while holding the lock on vt's own file.
    func locked<Result>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        try FileContents.makeDirectory(FileContents.directory(of: ownFile))
        try TrustedPath.check(directory: FileContents.directory(of: ownFile))
        return try FileLock(at: ownFile + ".lock", timeout: lockTimeout).hold(body)
    }

    /// Appends a line with a single write, so that readers never see part of it; the lock must be held.
    func append(_ key: HostKey, for endpoint: Endpoint) throws(VTError) {
        guard Destination.isHost(endpoint.host) else {
            throw VTError(.config, "invalid host name for known_hosts: '\(endpoint.host)'")
        }
        let line = Array("\(endpoint.knownHostsName) \(key.type) \(Base64.encode(key.blob))\n".utf8)
        let file = try OpenFile(opening: ownFile, O_RDWR | O_APPEND | O_CREAT, failure: .cannotCreate)
        try file.setMode(0o600)
        let before = try file.status()
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
        if !isTorn { reader.appended(line, to: ownFile, before: before, after: try file.status()) }
    }
}
