import Core

extension ProfileService {
    /// Records the time of a connection to each of these profiles; unknown names are ignored.
    ///
    /// A profile whose last connection was recorded less than an hour ago is not updated, because rewriting the file
    /// for every command would cost more than the command itself. Errors are reported only with `--verbose`, because
    /// they do not affect the command.
    package func recordConnections(
        to names: [String],
        diagnostics: any Diagnostics
    ) {
        let time = now()
        let limit = Timestamp(seconds: time.seconds - 3600)
        let isDue: (Profile?) -> Bool = { profile in
            guard let profile else { return false }
            return profile.lastConnectedAt.map { $0 < limit } ?? true
        }
        do throws(VTError) {
            let present = try profiles.load()
            let due = names.filter { isDue(present[$0]) }
            guard !due.isEmpty else { return }
            try profiles.update { all in
                for name in due where isDue(all[name]) { all[name]?.lastConnectedAt = time }
            }
        } catch {
            diagnostics.detail("cannot record the time of the connection: \(error.message)")
        }
    }
}
