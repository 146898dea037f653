import Core

extension StandardInput {
    /// Runs work requested by vt on another machine; if `isWatched` is true, the end of standard input cancels the
    /// work.
    ///
    /// - Throws: Errors thrown by the work or by reading; `host.unreachable` if the input ends first.
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
