import Core
import Recording

/// The result of reading a possibly invalid file.
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
