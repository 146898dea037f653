import Core
import CoreTestSupport
import Services

extension SessionFixture {
    /// A session that has ended with status 3, and whose log is `log`.
    static func ended(_ log: MemoryLog) -> SessionFixture {
        var record = Session.sample("build", state: .exited)
        record.exit = .exited(3)
        return SessionFixture([.init(record: record, log: log)])
    }

    /// A session whose holder sends these frames after `attached` and then exits, and whose log is `log`.
    ///
    /// The session is then lost if `exit` is nil.
    static func live(_ log: MemoryLog, _ frames: [SessionFrame], endsAs exit: ExitStatus? = nil) -> SessionFixture {
        let fixture = SessionFixture([.init(record: .sample("build"), log: log)])
        let host = fixture.host
        fixture.host.change("build") { kept in
            kept.holder = {
                let holder = FakeHolder { frame in
                    guard case .attach(let attachment) = frame else { return [] }
                    // The holder exits after these frames.
                    host.change("build") { kept in
                        kept.record.state = exit == nil ? .lost : .exited
                        kept.record.exit = exit
                    }
                    return [.attached(offset: attachment.from ?? 0, lastInput: 0, size: .standard)] + frames
                }
                holder.endAfterAnswer()
                return holder
            }
        }
        return fixture
    }

    /// A session that is still running after these pieces of output, of which the first `logged` are in the log.
    static func running(
        _ pieces: [String],
        logged: Int = 0,
        unmarkedPause: Duration = .seconds(600)
    ) -> SessionFixture {
        let log = MemoryLog(pieces.prefix(logged).flatMap { Array($0.utf8) })
        let fixture = SessionFixture([.init(record: .sample("build"), log: log)], unmarkedPause: unmarkedPause)
        fixture.host.change("build") { kept in
            kept.holder = {
                FakeHolder { frame in
                    guard case .attach(let attachment) = frame else { return [] }
                    let from = attachment.from ?? 0
                    var offset: UInt64 = 0
                    var frames = [SessionFrame.attached(offset: from, lastInput: 0, size: .standard)]
                    for piece in pieces {
                        if offset >= from { frames.append(.output(offset: offset, bytes: Array(piece.utf8))) }
                        offset += UInt64(piece.utf8.count)
                    }
                    return frames
                }
            }
        }
        return fixture
    }
}
