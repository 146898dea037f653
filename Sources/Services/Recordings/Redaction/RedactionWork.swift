import Core
import Recording
import Terminal

/// Finds what is to be taken out of a recording, and writes the rest.
struct RedactionWork {
    private let plan: RedactionPlan
    private var output = RedactionEdits()
    private var input = RedactionEdits()
    /// What the secrets were found by.
    private(set) var rules: Set<String> = []

    /// What is taken out may make something else a secret; that ends soon.
    private static let mostRounds = 8

    init(_ plan: RedactionPlan) {
        self.plan = plan
    }

    /// How many pieces of the output and the input are replaced.
    var count: Int { output.count + input.count }

    /// Reads the recording until nothing more is found.
    mutating func search(_ source: CastSource, _ diagnostics: any Diagnostics) throws(VTError) {
        for round in 1...Self.mostRounds {
            diagnostics.progress("\(source.name): looking for secrets, pass \(round)")
            let isShown = try pass(source)
            if settle() { continue }
            guard isShown else { return }
            diagnostics.progress("\(source.name): looking for what painted secrets, pass \(round)")
            try trace(source)
            // What cannot be traced is for the proof to tell.
            guard settle() else { return }
        }
    }

    private mutating func settle() -> Bool {
        let isOutputChanged = output.settle()
        return input.settle() || isOutputChanged
    }

    /// Looks through all streams; returns whether the screen shows a secret.
    private mutating func pass(_ source: CastSource) throws(VTError) -> Bool {
        var outputScan = StreamScan(plan)
        var inputScan = StreamScan(plan)
        var screen: ScreenScan?
        var (outputOffset, inputOffset) = (UInt64(0), UInt64(0))
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): screen = ScreenScan(header.size, plan)
            case .event(let event):
                switch event.content {
                case .output(let bytes):
                    let segments = output.segments(of: bytes, at: outputOffset, plan)
                    outputOffset += UInt64(bytes.count)
                    try outputScan.take(segments) { offsets, rule throws(VTError) in
                        try output.add(offsets)
                        rules.insert(rule)
                    }
                    for segment in segments { screen?.take(segment.bytes) }
                    screen?.see()
                case .input(let bytes):
                    let segments = input.segments(of: bytes, at: inputOffset, plan)
                    inputOffset += UInt64(bytes.count)
                    try inputScan.take(segments) { offsets, rule throws(VTError) in
                        try input.add(offsets)
                        rules.insert(rule)
                    }
                case .resize(let size): screen?.resize(to: size)
                case .marker, .exit, .other: break
                }
            }
            return true
        }
        try finish(&outputScan, &inputScan)
        screen?.see()
        if let rule = screen?.found { rules.insert(rule) }
        return screen?.found != nil
    }

    private mutating func finish(_ outputScan: inout StreamScan, _ inputScan: inout StreamScan) throws(VTError) {
        try outputScan.finish { offsets, rule throws(VTError) in
            try output.add(offsets)
            rules.insert(rule)
        }
        try inputScan.finish { offsets, rule throws(VTError) in
            try input.add(offsets)
            rules.insert(rule)
        }
    }

    /// Finds the bytes that painted what the screen shows.
    private mutating func trace(_ source: CastSource) throws(VTError) {
        var screen: ScreenTrace?
        var offset: UInt64 = 0
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): screen = ScreenTrace(header.size, plan)
            case .event(let event):
                switch event.content {
                case .output(let bytes):
                    for segment in output.segments(of: bytes, at: offset, plan) {
                        try screen?.take(segment) { offsets throws(VTError) in try output.add(offsets) }
                    }
                    try screen?.see { offsets throws(VTError) in try output.add(offsets) }
                    offset += UInt64(bytes.count)
                case .resize(let size): screen?.resize(to: size)
                case .input, .marker, .exit, .other: break
                }
            }
            return true
        }
    }

    // MARK: - Writing

    /// Writes the recording in its version, v1 as v3, with the times of all events.
    func write(
        _ source: CastSource,
        _ fields: inout FieldRedactor,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) {
        var writer = CastWriter(.v3)
        var (outputOffset, inputOffset) = (UInt64(0), UInt64(0))
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header):
                writer = CastWriter(header.version == .v2 ? .v2 : .v3)
                writer.write(fields.redacted(header))
            case .event(var event):
                switch event.content {
                case .output(let bytes):
                    event.data = output.segments(of: bytes, at: outputOffset, plan).flatMap(\.bytes)
                    outputOffset += UInt64(bytes.count)
                case .input(let bytes):
                    event.data = input.segments(of: bytes, at: inputOffset, plan).flatMap(\.bytes)
                    inputOffset += UInt64(bytes.count)
                case .marker, .other:
                    event.data = fields.redacted(event.data)
                case .resize, .exit: break
                }
                writer.write(event)
            }
            if writer.count > 1 << 18 { try write(writer.take()) }
            return true
        }
        try write(writer.take())
    }
}
