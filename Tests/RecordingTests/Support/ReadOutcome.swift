import Core
import Recording

/// What became of a file that may be none.
enum ReadOutcome: Equatable {
    case read(ReadRecording?)
    case failed(VTError)

    init(_ bytes: [UInt8], _ policy: RecordingPolicy, _ piece: Int) {
        do throws(VTError) {
            self = .read(try ReadRecording(bytes, policy, piece: piece))
        } catch {
            self = .failed(error)
        }
    }
}
