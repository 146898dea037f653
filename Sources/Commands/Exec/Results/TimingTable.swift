import Core
import Services

/// The table that `--summary` prints: how long the command ran on each target, slowest first.
struct TimingTable {
    /// The maximum number of rows, as with the callback profile_tasks of Ansible.
    static let limit = 20

    private let results: [(name: String, end: ExecEnd)]

    /// Targets that were not reached are omitted; those where the command could not be started come last.
    init(_ results: [(name: String, end: ExecEnd)]) {
        // The sort is stable.
        self.results = results.filter { $0.end.outcome != .skipped }.sorted {
            ($0.end.timing?.duration ?? .zero) > ($1.end.timing?.duration ?? .zero)
        }
    }

    func rendered(in style: OutputStyle) -> String {
        var table = TextTable(["STATUS", "DURATION", "TARGET"])
        for (name, end) in results.prefix(Self.limit) {
            let duration = end.timing.map { Self.text($0.duration) } ?? "-"
            table.add([end.outcome.label ?? "exit 0", duration, name], isFailure: !end.outcome.isSuccess)
        }
        let others = results.count - Self.limit
        return table.rendered(in: style) + (others > 0 ? "and \(others) more\n" : "")
    }

    /// A duration with hundredths of a second, such as `0.30s`, `1m02.50s` or `2h00m01.00s`.
    private static func text(_ duration: Duration) -> String {
        let hundredths = (duration.wholeMilliseconds + 5) / 10
        let (hours, minutes, seconds) = (hundredths / 360_000, hundredths / 6000 % 60, hundredths / 100 % 60)
        let end = ".\(twoDigits(hundredths % 100))s"
        guard hours > 0 || minutes > 0 else { return "\(seconds)\(end)" }
        let rest = "m\(twoDigits(seconds))\(end)"
        return hours > 0 ? "\(hours)h\(twoDigits(minutes))\(rest)" : "\(minutes)\(rest)"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
