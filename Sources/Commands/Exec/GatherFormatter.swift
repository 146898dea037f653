import Core
import Services
import Synchronization

/// Keeps all output to the end, and shows what is equal once, under the names of its targets.
final class GatherFormatter: ExecFormatter {
    fileprivate struct Result: Hashable {
        var outcome: ExecOutcome
        var output: [UInt8]
        var errorOutput: [UInt8]
    }

    private let output: any ByteSink
    private let errorOutput: any ByteSink
    private let collected = Mutex<[String: (output: CollectingSink, errorOutput: CollectingSink)]>([:])
    private let results = Mutex<[(result: Result, names: [String])]>([])
    private let budget = CollectingBudget()

    init(output: any ByteSink, errorOutput: any ByteSink) {
        self.output = output
        self.errorOutput = errorOutput
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let sinks = (output: CollectingSink(budget), errorOutput: CollectingSink(budget))
        collected.withLock { $0[job.name] = sinks }
        return sinks
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        let sinks = collected.withLock { $0.removeValue(forKey: job.name) }
        let result = Result(
            outcome: outcome,
            output: sinks?.output.bytes ?? [],
            errorOutput: sinks?.errorOutput.bytes ?? []
        )
        results.withLock { results in
            if let index = results.firstIndex(where: { $0.result == result }) {
                results[index].names.append(job.name)
                budget.giveBack(result.output.count + result.errorOutput.count)
            } else {
                results.append((result, [job.name]))
            }
        }
    }

    /// Shows the largest groups last, where a person looks first.
    func finish() async throws(VTError) {
        let groups = results.withLock { $0 }.sorted { $0.names.count < $1.names.count }
        for (result, names) in groups {
            let header = "--- \(names.sorted().joined(separator: ",").sanitized) (\(names.count))\(result.label)\n"
            try await output.write(Array(header.utf8) + result.output.endingItsLine)
            guard !result.errorOutput.isEmpty else { continue }
            try await errorOutput.write(Array(header.utf8) + result.errorOutput.endingItsLine)
        }
    }
}

extension GatherFormatter.Result {
    fileprivate var label: String {
        switch outcome {
        case .ended(.exited(0)): ""
        case .ended(.exited(let code)): ": exit \(code)"
        case .ended(.signalled(let signal, _)): ": signal \(signal.text.sanitized)"
        case .failed(let error): ": \(error.code.rawValue)"
        case .skipped: ": not run"
        }
    }
}

extension [UInt8] {
    fileprivate var endingItsLine: [UInt8] {
        isEmpty || last == UInt8(ascii: "\n") ? self : self + [UInt8(ascii: "\n")]
    }
}

/// What all targets of a run may keep together.
private final class CollectingBudget: Sendable {
    static let limitBytes = 256 << 20
    private let used = Mutex(0)

    func take(_ count: Int) throws(VTError) {
        let isOver = used.withLock { used in
            used += count
            return used > Self.limitBytes
        }
        if isOver {
            throw VTError(
                .io,
                "the output is too large to be gathered, more than \(Self.limitBytes >> 20) MiB",
                hint: "leave out --gather"
            )
        }
    }

    func giveBack(_ count: Int) {
        used.withLock { $0 -= count }
    }
}

/// Keeps what it is given.
private final class CollectingSink: ByteSink {
    private let collected = Mutex<[UInt8]>([])
    private let budget: CollectingBudget

    init(_ budget: CollectingBudget) {
        self.budget = budget
    }

    var bytes: [UInt8] {
        collected.withLock { $0 }
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try budget.take(bytes.count)
        collected.withLock { $0 += bytes }
    }
}
