import Core

extension StandardInput {
    /// Runs work that another vt has asked for; with `isWatched`, cancels it when that one closes standard input.
    ///
    /// - Throws: What the work throws; `host.unreachable` when the input ended first.
    func ending<Result: Sendable>(
        when isWatched: Bool,
        _ work: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard isWatched else { return try await work() }
        let result = await withTaskGroup(of: Swift.Result<Result, VTError>.self) { group in
            group.addTask {
                do throws(VTError) {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                let input = source()
                do throws(VTError) {
                    while try await input.read() != nil {}
                    return .failure(VTError(.hostUnreachable, "standard input ended"))
                } catch {
                    return .failure(error)
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try result.get()
    }
}
