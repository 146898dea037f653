import Foundation
import TestSupport
import Testing

/// `vt sessions screen` and `vt cast screen` with `--format png`, on this machine and a server.
@Suite(.crowded)
struct ScreenImageTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    /// A screen whose first cells are red, and whose second row is a wide character on green, followed by the cursor.
    private static let text = "\\033[41m    \\033[m one\\r\\n\\033[42m漢\\033[m"

    private func create(_ session: String) async throws {
        let script = "stty -echo; printf '\(Self.text)'; read x; printf '\\033[H\\033[44m    '; read y"
        try await vt.check("sessions", "create", session, "--size", "20x4", "--", "sh", "-c", script)
        try await vt.check("sessions", "wait", session, "--screen", "漢", "--timeout", "60s")
    }

    private func image(_ words: [String]) async throws -> Image {
        let result = try await vt.call(words + ["--format", "png"]).run()
        #expect(result.exit == 0 && result.errorText == "")
        return try await Image(result.output)
    }

    /// An image, as ffmpeg decodes it.
    private struct Image {
        let width: Int
        let height: Int
        private let pixels: [UInt8]

        init(_ png: [UInt8]) async throws {
            // The size is in the first chunk (PNG specification, 11.2.1).
            try #require(png.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && png.count > 24)
            width = png[16..<20].reduce(0) { $0 << 8 | Int($1) }
            height = png[20..<24].reduce(0) { $0 << 8 | Int($1) }
            let words = ["-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
            pixels = try await ProgramCall("ffmpeg", words).run(input: png).output
            try #require(pixels.count == width * height * 3)
        }

        /// The color at a place, given in cells.
        func color(_ column: Double, _ row: Double, scale: Double = 1) -> [UInt8] {
            let (x, y) = (Int((10 + column * 8.4) * scale), Int((10 + row * 17) * scale))
            return Array(pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3])
        }
    }

    private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) =
        ([0xcd, 0x31, 0x31], [0x0d, 0xbc, 0x79], [0x24, 0x72, 0xc8])

    @Test(arguments: ["s", "p:s"])
    func `draws the screen of a session`(session: String) async throws {
        try await create(session)
        let offset = try await vt.call(["sessions", "screen", session, "--json"]).run().json()["offset"] as? Int
        let image = try await image(["sessions", "screen", session])
        #expect(image.width == 188 && image.height == 88)
        #expect(image.color(1, 0.5) == Self.red)
        #expect(image.color(1.9, 1.1) == Self.green)
        // The cursor is drawn after the wide character, and nothing after the cursor.
        let background = image.color(10, 3)
        #expect(image.color(2.5, 1.5) != background && image.color(3.5, 1.5) == background)
        let large = try await self.image(["sessions", "screen", session, "--scale", "2", "--region", "10x2+0+0"])
        #expect(large.width == 208 && large.height == 108)
        #expect(large.color(1, 0.5, scale: 2) == Self.red)
        try await vt.check("sessions", "send", session, "--enter", "--wait", "no-screen=x", "--settle", "100ms")
        try await vt.check("sessions", "wait", session, "--idle", "100ms")
        #expect(try await self.image(["sessions", "screen", session]).color(1, 0.5) == Self.blue)
        let before = try await self.image(["sessions", "screen", session, "--at", "\(try #require(offset))"])
        #expect(before.color(1, 0.5) == Self.red)
    }

    @Test func `draws the screen at a position in a recording`() async throws {
        let header = #"{"version": 2, "width": 20, "height": 4}"#
        let events = [#"[1, "o", "\u001b[41m    "]"#, #"[2, "o", "\u001b[H\u001b[44m    "]"#]
        let file = try vt.writeElsewhere(([header] + events).joined(separator: "\n") + "\n", to: "a.cast")
        #expect(try await image(["cast", "screen", file]).color(1, 0.5) == Self.blue)
        #expect(try await image(["cast", "screen", file, "--at", "50%"]).color(1, 0.5) == Self.red)
        let tall = ["cast", "screen", file, "--format", "png", "--scale"]
        #expect(try await vt.call(tall + ["8"]).run().exit == 0)
        #expect(try await vt.call(tall + ["8.1"]).run().exit == 64)
    }

    @Test func `an image is not written to a terminal`() async throws {
        try await create("s")
        let words = [TestTree.vt, "sessions", "screen", "s", "--format", "png"]
        // A session gets the VT_HOME of the vt that creates it.
        try await vt.call(["sessions", "create", "t", "--"] + words).check()
        #expect(try await vt.run("sessions", "wait", "t", "--exit", "--timeout", "60s").exit == 64)
        #expect(try await vt.check("sessions", "screen", "t").hasPrefix("vt: cannot write a PNG to a terminal\nhint: "))
    }

    @Test func `reports a screen that is too large, and a program that is missing or fails`() async throws {
        try await create("s")
        let large = try await vt.run("sessions", "screen", "s", "--format", "png", "--size", "4000x10")
        #expect(large.exit == 73 && large.output.isEmpty)
        #expect(large.errorText.hasPrefix("vt: an image of 33620x190 pixels is too large for PNG\n"))
        let missing = try await vt.run("sessions", "screen", "s", "--format", "png", environment: ["PATH": "/nowhere"])
        #expect(missing.exit == 66 && missing.output.isEmpty)
        #expect(
            missing.errorText == "vt: 'rsvg-convert' is required to render a PNG, but it is not installed\n"
                + "hint: install the package librsvg2-bin\n"
        )
        try vt.writeElsewhere("#!/bin/sh\necho no\nexit 3\n", to: "rsvg-convert", mode: 0o700)
        let failed = try await vt.run("sessions", "screen", "s", "--format", "png", environment: ["PATH": directory])
        #expect(failed.exit == 74 && failed.output.isEmpty)
        #expect(failed.errorText == "vt: 'rsvg-convert' failed with status 3\n")
    }

    private var directory: String {
        (vt.home as NSString).deletingLastPathComponent + "/files:/usr/bin:/bin"
    }

    @Test func `a signal also ends the program that draws`() async throws {
        try await create("s")
        let pid = "\(vt.home)/pid"
        let script =
            "#!/bin/sh\nls /proc/$$/fd >\(pid).fds\necho $$ >\(pid).new\nmv \(pid).new \(pid)\nexec sleep 1000\n"
        try vt.writeElsewhere(script, to: "rsvg-convert", mode: 0o700)
        let call = try vt.start("sessions", "screen", "s", "--format", "png", environment: ["PATH": directory])
        #expect(await eventually { FileManager.default.fileExists(atPath: pid) })
        let number = try String(contentsOfFile: pid, encoding: .utf8).filter(\.isNumber)
        call.signal(SIGTERM)
        #expect(try await call.wait() == .signalled(SIGTERM))
        #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(number)") })
        // The shell opens the script as descriptor 10.
        let descriptors = try String(contentsOfFile: "\(pid).fds", encoding: .utf8).split(separator: "\n")
        #expect(descriptors.filter { $0.count == 1 } == ["0", "1", "2"])
    }
}
