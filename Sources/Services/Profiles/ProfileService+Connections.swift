import Core

extension ProfileService {
    /// Notes that these profiles have been connected to; names without a profile are passed over.
    ///
    /// Nothing is written where the last note is younger than `interval`: a file that is written anew for every command
    /// costs more than the command. What goes wrong is no failure of the command and is told in detail only.
    package func noteConnections(
        to names: some Sequence<String>,
        unlessWithin interval: Duration = .seconds(3600),
        diagnostics: any Diagnostics
    ) {
        let time = now()
        let limit = Timestamp(seconds: time.seconds - interval.components.seconds)
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
