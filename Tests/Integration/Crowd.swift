import Foundation
import Testing

/// Limits the number of concurrent tests that start servers: with too many at once, tests would miss their deadlines.
struct Crowd: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    @concurrent func provideScope(
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
    static var crowded: Self { Crowd() }
}

private let turnstile = Turnstile(places: 2 * ProcessInfo.processInfo.activeProcessorCount)

/// Admits tasks up to a limit; other tasks wait in order of arrival.
private actor Turnstile {
    private var places: Int
    private var line: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { line.append($0) }
        }
    }

    func leave() {
        if line.isEmpty {
            places += 1
        } else {
            line.removeFirst().resume()
        }
    }
}
