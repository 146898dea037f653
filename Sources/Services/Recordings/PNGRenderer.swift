import Core
import System
import Terminal

/// Renders a screen as a PNG image: `rsvg-convert` draws the SVG document.
package struct PNGRenderer: Sendable {
    private let program: ImageProgram

    /// The maximum number of pixels, for which `rsvg-convert` allocates four bytes each.
    private static let maximumPixels = 1 << 25
    /// The maximum width and height of an image in cairo, the library with which `rsvg-convert` draws.
    private static let maximumLength = 32_767
    private static let timeout = Duration.seconds(60)
    /// The first bytes of a PNG image (PNG specification §5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package init(environment: Environment, clock: any Clock<Duration>) {
        program = ImageProgram(
            name: "rsvg-convert",
            package: "librsvg2-bin",
            product: "a PNG",
            environment: environment,
            clock: clock
        )
    }

    /// Returns the image, enlarged by `scale`.
    ///
    /// - Throws: `cannot-create` for too large an image; `not-found` when the program is missing; `io` when it fails;
    ///   `timed-out`.
    package func image(
        of screen: Screen,
        theme: Theme = .standard,
        scale: Double = 1
    ) async throws(VTError) -> [UInt8] {
        let size = SVGRenderer.size(of: screen)
        let (width, height) = (Int(size.width * scale), Int(size.height * scale))
        guard max(width, height) <= Self.maximumLength, width * height <= Self.maximumPixels else {
            throw VTError(
                .cannotCreate,
                "an image of \(width)x\(height) pixels is too large for PNG",
                hint: "use the format svg, or fewer rows or columns"
            )
        }
        let image = try await program.run(
            ["--format=png", "--zoom=\(scale)"],
            input: Array(SVGRenderer.render(screen, theme: theme).utf8),
            // An image is smaller than its pixels.
            limit: Self.maximumPixels * 4,
            timeout: Self.timeout
        )
        guard image.starts(with: Self.signature) else {
            throw VTError(.io, "'rsvg-convert' has not printed a PNG image")
        }
        return image
    }
}
