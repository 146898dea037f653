import Commands
import Core
import Glibc

@main
enum Main {
    static func main() async {
        StandardStream.occupyClosed()
        let status = await CompositionRoot.makeRunner().run(arguments)
        exit(CInt(status))
    }

    /// The words after the program's name, byte for byte.
    private static var arguments: [ByteString] {
        let words = UnsafeBufferPointer(start: Swift.CommandLine.unsafeArgv, count: Int(Swift.CommandLine.argc))
        return words.dropFirst().compactMap { word in
            word.map { ByteString(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
