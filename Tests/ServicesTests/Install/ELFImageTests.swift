import Foundation
import Services
import TestSupport
import Testing

@Suite struct ELFImageTests {
    private static func file(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(arguments: ["/bin/sh", "/usr/bin/env", "/proc/self/exe", TestTree.builtVt])
    func `finds the same libraries as readelf`(path: String) async throws {
        let image = try #require(ELFImage(try Self.file(path)))
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let text = try await ProgramCall("readelf", ["-dW", file]).check()
        let names = text.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap { line in
            line.split(separator: "[").last?.split(separator: "]").first.map(String.init)
        }
        #expect(image.libraries == names)
        #expect(!names.isEmpty)
    }

    @Test func `a static program has no libraries`() throws {
        // ldconfig is linked statically, so that it works while there is no C library.
        #expect(try #require(ELFImage(try Self.file("/sbin/ldconfig"))).libraries == [])
    }

    @Test(arguments: ["/etc/passwd", "/usr/bin/ldd"])
    func `rejects files that are not ELF images`(path: String) throws {
        #expect(ELFImage(try Self.file(path)) == nil)
    }

    @Test(arguments: [
        ELFImage.Machine(number: 62, is64Bit: true, isLittleEndian: true),
        ELFImage.Machine(number: 22, is64Bit: true, isLittleEndian: false),
        ELFImage.Machine(number: 40, is64Bit: false, isLittleEndian: true),
    ])
    func `reads the machine from the header`(machine: ELFImage.Machine) {
        var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, machine.is64Bit ? 2 : 1, machine.isLittleEndian ? 1 : 2, 1]
        header += [UInt8](repeating: 0, count: 64 - header.count)
        let low = machine.isLittleEndian ? 0 : 1
        header[16 + low] = 2
        header[18 + low] = UInt8(truncatingIfNeeded: machine.number)
        #expect(ELFImage(header)?.machine == machine)
        #expect(ELFImage(header)?.libraries == [])
    }

    @Test func `parsing a truncated or damaged file does not trap`() throws {
        let program = try Self.file("/bin/sh")
        for length in stride(from: 0, to: program.count, by: 97) {
            _ = ELFImage(Array(program.prefix(length)))
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var damaged = program
            for _ in 0..<4 {
                damaged[Int.random(in: 16..<1024, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            damaged[Int.random(in: 0..<64, using: &generator)] = 0xff
            _ = ELFImage(damaged)
        }
    }
}
