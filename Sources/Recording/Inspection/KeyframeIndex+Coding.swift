import Core
import Terminal

extension KeyframeIndex {
    /// The magic bytes, which must be changed whenever the format or the contents of a keyframe change.
    private static let magic = Array("vt keyframes 3\n".utf8)
    /// The maximum size of an index.
    ///
    /// Keyframes that would exceed this size are omitted. A file whose markers alone would take up half of it has no
    /// index.
    static let limitBytes = 32 << 20

    /// The index in the format that `init(decoding:for:)` reads.
    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.appendBigEndian(file.device)
        bytes.appendBigEndian(file.inode)
        bytes.appendBigEndian(file.sizeBytes)
        bytes.appendBigEndian(file.modified)
        bytes.appendString(header)
        bytes.append(isRelative ? 1 : 0)
        bytes.appendBigEndian(end.microseconds)
        bytes.appendBigEndian(Int64(count))
        bytes.appendUInt32(UInt32(markers.count))
        for marker in markers {
            bytes.appendString(marker.label.utf8)
            bytes.appendBigEndian(Int64(marker.number))
            bytes.appendBigEndian(marker.time.microseconds)
        }
        bytes.appendUInt32(UInt32(keyframes.count))
        for keyframe in keyframes {
            bytes.appendBigEndian(keyframe.offset)
            bytes.appendBigEndian(Int64(keyframe.number))
            bytes.appendBigEndian(keyframe.time.microseconds)
            bytes.appendString(keyframe.state.bytes)
        }
        bytes.appendBigEndian(Self.checksum(bytes[...]))
        return bytes
    }

    /// Returns nil if the index is corrupt, has a different format version, or does not match the current file.
    init?(decoding bytes: [UInt8], for file: RecordingFile.Identity) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 8,
            bytes.suffix(8).reduce(0, { $0 << 8 | UInt64($1) }) == Self.checksum(bytes.dropLast(8))
        else { return nil }
        var reader = WireReader(bytes.dropFirst(Self.magic.count).dropLast(8))
        guard reader.uint64() == file.device, reader.uint64() == file.inode, reader.int64() == file.sizeBytes,
            reader.int64() == file.modified, let header = reader.string(), let isRelative = reader.byte(),
            let end = reader.time(), let count = reader.int64(), let markers = reader.uint32()
        else { return nil }
        self.init(file: file, header: Array(header), isRelative: isRelative != 0, end: end, count: Int(count))
        for _ in 0..<markers {
            guard let label = reader.text(), let number = reader.int64(), let time = reader.time() else { return nil }
            self.markers.append(Marker(label: label, number: Int(number), time: time))
        }
        guard let keyframes = reader.uint32() else { return nil }
        for _ in 0..<keyframes {
            guard let offset = reader.int64(), let number = reader.int64(), let time = reader.time(),
                let state = reader.string().flatMap({ EmulatorKeyframe(decoding: $0) })
            else { return nil }
            self.keyframes.append(Keyframe(offset: offset, number: Int(number), time: time, state: state))
        }
    }

    /// A checksum that detects damage but not deliberate changes.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        StableHash.hash(bytes)
    }
}

extension WireReader {
    fileprivate mutating func int64() -> Int64? {
        uint64().map { Int64(bitPattern: $0) }
    }

    fileprivate mutating func time() -> RecordingTime? {
        int64().map { RecordingTime(microseconds: $0) }
    }
}
