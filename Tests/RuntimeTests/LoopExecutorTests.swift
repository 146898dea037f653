import Core
import Foundation
import NIOCore
import Synchronization
import System
import TestSupport
import Testing
@testable import Runtime

@Suite struct LoopExecutorTests {
    private let executor: LoopExecutor
    private let clock: LoopClock

    /// Starts an executor on its own thread, which lasts until the tests end.
    init() async throws {
        executor = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let result = Result { () throws(VTError) in try LoopExecutor() }
                continuation.resume(with: result)
                if case .success(let executor) = result { executor.run() }
            }
        }
        clock = LoopClock(executor)
    }

    /// The names of events, in order.
    private final class Record: Sendable {
        private let state = Mutex<[String]>([])
        var events: [String] { state.withLock { $0 } }
        func add(_ event: String) { state.withLock { $0.append(event) } }
    }

    @Test(arguments: [false, true])
    func `sleeping tasks wake in the order of their deadlines`(withEventLoop: Bool) async throws {
        if withEventLoop { _ = try await executor.eventLoop() }
        let record = Record()
        let start = clock.now
        try await withThrowingTaskGroup { group in
            for milliseconds in [60, 20, 40] {
                group.addTask(executorPreference: executor) {
                    try await clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)), tolerance: nil)
                    record.add("\(milliseconds)")
                }
            }
            try await group.waitForAll()
        }
        #expect(record.events == ["20", "40", "60"])
        #expect(start.duration(to: clock.now) >= .milliseconds(60))
    }

    @Test(arguments: [false, true])
    func `a canceled sleep ends at once`(withEventLoop: Bool) async throws {
        if withEventLoop { _ = try await executor.eventLoop() }
        let sleeper = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        let error = await #expect(throws: VTError.self) { try await sleeper.value }
        #expect(error == .cancelled)
    }

    @Test(arguments: [false, true])
    func `waits for several descriptors, with or without an event loop`(withEventLoop: Bool) async throws {
        if withEventLoop { _ = try await executor.eventLoop() }
        let pipes = [try DescriptorPair.pipe().release(), try DescriptorPair.pipe().release()]
        defer { for number in pipes.flatMap({ [$0.first, $0.second] }) { close(number) } }
        let record = Record()
        try await withThrowingTaskGroup { group in
            for (index, pipe) in pipes.enumerated() {
                group.addTask(executorPreference: executor) {
                    try await executor.poller.wait(for: .readable, on: pipe.first)
                    executor.checkIsolated()
                    record.add("\(index)")
                }
            }
            for pipe in pipes.reversed() {
                let count = record.events.count
                write(pipe.second, "x", 1)
                #expect(await eventually { record.events.count == count + 1 })
            }
            try await group.waitForAll()
        }
        #expect(record.events == ["1", "0"])
    }

    @Test(arguments: [false, true])
    func `a wait for a descriptor ends at its deadline`(withEventLoop: Bool) async throws {
        if withEventLoop { _ = try await executor.eventLoop() }
        let pipe = try DescriptorPair.pipe()
        let deadline = NIODeadline.now() + .milliseconds(30)
        let isReady = try await executor.poller.wait(
            for: .readable,
            on: pipe.first.number,
            untilUptime: deadline.uptimeNanoseconds
        )
        #expect(!isReady)
        #expect(NIODeadline.now() >= deadline)
    }

    @Test(arguments: [false, true])
    func `a canceled wait for a descriptor ends at once`(withEventLoop: Bool) async throws {
        if withEventLoop { _ = try await executor.eventLoop() }
        let pipe = try DescriptorPair.pipe()
        let number = pipe.first.number
        let waiter = Task(executorPreference: executor) { try await executor.poller.wait(for: .readable, on: number) }
        waiter.cancel()
        let error = await #expect(throws: VTError.self) { try await waiter.value }
        #expect(error == .cancelled)
    }

    @Test func `a wait for a descriptor continues when an event loop takes over`() async throws {
        let pipe = try DescriptorPair.pipe()
        let number = pipe.first.number
        let waiter = Task(executorPreference: executor) {
            async let wait = executor.poller.wait(for: .readable, on: number)
            _ = try await executor.eventLoop()
            let isReady = try await wait
            #expect(isReady)
            executor.checkIsolated()
        }
        _ = try await executor.eventLoop()
        write(pipe.second.number, "x", 1)
        try await waiter.value
    }

    @Test func `an event loop takes over the thread with the timers and jobs that wait`() async throws {
        let record = Record()
        let start = clock.now
        let sleeper = Task(executorPreference: executor) {
            executor.checkIsolated()
            try await clock.sleep(until: start.advanced(by: .milliseconds(50)), tolerance: nil)
            executor.checkIsolated()
            record.add("slept")
        }
        let user = Task(executorPreference: executor) {
            let loop = try await executor.eventLoop()
            #expect(loop.inEventLoop)
            executor.checkIsolated()
            record.add("loop")
            return loop
        }
        let loop = try await user.value
        try await sleeper.value
        #expect(record.events == ["loop", "slept"])
        #expect(try await executor.eventLoop() === loop)
    }
}
