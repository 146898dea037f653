import Core

/// The incoming bytes of a recording, after decompression.
struct RecordingInput: ~Copyable {
    private var pending: [UInt8] = []
    private var isDecided = false
    private var inflater: Inflater?
    private(set) var isFinished = false
    private(set) var isCompressed = false
    /// Whether the compressed data is truncated, for example because the recorder was killed.
    private(set) var isTorn = false
    /// Whether all data has been moved and no more will arrive.
    private(set) var isEmpty = false

    mutating func append(_ bytes: [UInt8]) {
        guard !isFinished, !bytes.isEmpty else { return }
        if inflater != nil {
            inflater?.append(bytes)
        } else if pending.isEmpty {
            // Stored without copying the bytes, because a large recording is read in large pieces.
            pending = bytes
        } else {
            pending += bytes
        }
    }

    mutating func finish() {
        isFinished = true
    }

    /// Moves bytes to `lines`; returns whether any bytes were moved.
    ///
    /// At most one step of decompression is performed.
    ///
    /// - Throws: `data.invalid` for an unsupported compression format, and for errors from `Inflater`; `system` when
    ///   memory is exhausted.
    mutating func move(into lines: inout LineBuffer) throws(VTError) -> Bool {
        guard try decide() else {
            isEmpty = isFinished
            return false
        }
        guard inflater != nil else {
            defer { isEmpty = isFinished }
            guard !pending.isEmpty else { return false }
            lines.append(pending)
            pending = []
            return true
        }
        do throws(Inflater.Fault) {
            while let bytes = try inflater?.read(isLast: isFinished) {
                guard !bytes.isEmpty else { continue }
                lines.append(bytes)
                return true
            }
        } catch {
            isEmpty = true
            if case .early = error { isTorn = true }
            throw Self.error(error)
        }
        isEmpty = isFinished
        return false
    }

    private static func error(_ fault: Inflater.Fault) -> VTError {
        switch fault {
        case .damaged: VTError(.dataInvalid, "the compressed data is corrupt")
        case .early: VTError(.dataInvalid, "the compressed data is truncated")
        case .trailing: VTError(.dataInvalid, "unexpected data after the compressed data")
        }
    }

    /// Examines the first bytes; returns false if there are too few.
    private mutating func decide() throws(VTError) -> Bool {
        if isDecided { return true }
        guard pending.count >= 4 || isFinished else { return false }
        isDecided = true
        if pending.starts(with: [0x1F, 0x8B]) {
            isCompressed = true
            inflater = try Inflater()
            inflater?.append(pending)
            pending = []
        } else if pending.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            isEmpty = true
            throw VTError(
                .dataInvalid,
                "the recording is compressed with zstd, which is not supported",
                hint: "decompress it: zstd -dc FILE | vt cast convert -"
            )
        }
        return true
    }
}
