import Core
import Services
import Testing

@testable import Services

struct TurnListTests {
    /// The turns that marks, oldest first, make with a filter.
    private func turns(
        _ marks: [(time: Int64, mark: ShellMark)],
        _ filter: TurnFilter = TurnFilter(),
        isLive: Bool = true,
        first: UInt64 = 0
    ) -> [Turn] {
        var list = TurnList(filter, isLive: isLive, firstOffset: first, now: Timestamp(seconds: 100))
        for (time, mark) in marks.reversed() {
            guard list.add(SessionLogEvent(time: time * 1_000_000, .shell(mark))) else { break }
        }
        return list.turns.reversed()
    }

    private static let two: [(time: Int64, mark: ShellMark)] = [
        (1, ShellMark(.command, at: 10, turn: 1)), (2, ShellMark(.end(status: 0), at: 20, turn: 1)),
        (3, ShellMark(.command, at: 30, request: 1, turn: 2)), (5, ShellMark(.end(status: 1), at: 40, turn: 2)),
    ]

    @Test func `a turn has its offsets, times, status and origin`() {
        let turns = turns(Self.two)
        #expect(turns.map(\.number) == [1, 2])
        #expect(turns.map(\.start) == [10, 30] && turns.map(\.end) == [20, 40])
        #expect(turns.map(\.status) == [0, 1] && turns.map(\.origin) == [.typed, .exec])
        #expect(turns.map(\.duration) == [.seconds(1), .seconds(2)])
    }

    @Test func `the first of repeated ends counts, and the last of repeated starts`() {
        let marks =
            Self.two + [
                (time: 6, mark: ShellMark(.end(status: 1), at: 50, turn: 2)), (time: 7, mark: Self.two[2].mark),
            ]
        #expect(turns(marks).map(\.end) == [20, nil])
        let shown = Self.two + [(time: 6, mark: ShellMark(.end(status: 9), at: 50, turn: 2))]
        #expect(turns(shown).map(\.status) == [0, 1])
    }

    @Test func `numbers count from the start or from the end`() {
        for (number, found) in [(1, 1), (2, 2), (-1, 2), (-2, 1), (3, nil), (-3, nil)] as [(Int64, UInt64?)] {
            #expect(turns(Self.two, TurnFilter(number: number)).first?.number == found)
        }
    }

    @Test func `a turn without an end is running only while the session is`() {
        let marks = Self.two.dropLast()
        #expect(turns(Array(marks)).last?.state == .running)
        #expect(turns(Array(marks), isLive: false).last?.state == .unknown)
        let ended = Array(marks) + [(time: 6, mark: ShellMark(.replaced, at: 50, turn: 2))]
        #expect(turns(ended).last?.state == .replaced)
    }

    @Test func `discarded output has a first offset within the turn`() {
        #expect(turns(Self.two, first: 35).map(\.firstOffset) == [20, 35])
        #expect(turns(Self.two, first: 10).map(\.firstOffset) == [nil, nil])
    }
}
