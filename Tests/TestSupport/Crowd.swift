import Foundation
import Testing

/// Limits the number of concurrent tests that start servers by the load: with too many at once, tests would miss their
/// deadlines.
package struct Crowd: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    @concurrent package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await turnstile.enter()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await function())
        } catch {
            outcome = .failure(error)
        }
        await turnstile.leave()
        try outcome.get()
    }
}

extension Trait where Self == Crowd {
    /// Limits the concurrency of tests that start servers.
    package static var crowded: Self { Crowd() }
}

private let turnstile = Turnstile(places: 2 * ProcessInfo.processInfo.activeProcessorCount)

/// Admits tasks up to a number of places, and one more whenever a processor has been idle; other tasks wait in order of
/// arrival.
private actor Turnstile {
    private let places: Int
    private var occupied = 0
    private var line: [CheckedContinuation<Void, Never>] = []
    private var watch: Task<Void, Never>?

    init(places: Int) {
        self.places = places
    }

    func enter() async {
        if occupied < places {
            occupied += 1
            return
        }
        if watch == nil { watch = Task { await admitWhenIdle() } }
        await withCheckedContinuation { line.append($0) }
    }

    func leave() {
        occupied -= 1
        if occupied < places { admit() }
    }

    private func admit() {
        guard !line.isEmpty else { return }
        occupied += 1
        line.removeFirst().resume()
    }

    private func admitWhenIdle() async {
        var last = ProcessorTime.now()
        while !line.isEmpty {
            try? await Task.sleep(for: .milliseconds(100))
            let now = ProcessorTime.now()
            if now.idleShare(since: last) > 0.2 { admit() }
            last = now
        }
        watch = nil
    }
}

/// The time of all processors since the machine was started, in clock ticks (/proc/stat, proc(5)).
private struct ProcessorTime {
    private var idle: Int
    private var total: Int

    /// Zeros if there is no /proc.
    static func now() -> ProcessorTime {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        // `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guests are part of user and nice.
        let fields = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).map { Int($0) ?? 0 }
        return ProcessorTime(idle: fields.count == 8 ? fields[3] : 0, total: fields.reduce(0, +))
    }

    func idleShare(since earlier: ProcessorTime) -> Double {
        total > earlier.total ? Double(idle - earlier.idle) / Double(total - earlier.total) : 0
    }
}
