/// The initial letters of words, as returned by `LineText.wordStart`.
enum WordStart {
    static let pass = letters("pass")
    static let secr = letters("secr")
    static let toke = letters("toke")
    static let cred = letters("cred")
    static let bear = letters("bear")
    static let cook = letters("cook")
    static let auth = letters("auth")
    static let iden = letters("iden")
    static let name = letters("name")
    static let data = letters("data")
    static let stri = letters("stri")
    static let kind = letters("kind")
    static let sete = letters("sete")
    static let set = letters("set ")
    static let key = letters("key\0")
    static let pwd = letters("pwd\0")
    static let psk = letters("psk\0")
    static let jwt = letters("jwt\0")
    static let pat = letters("pat\0")
    static let dsn = letters("dsn\0")
    static let pw = letters("\0\0pw")

    private static func letters(_ word: StaticString) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(unsafe word.utf8Start[$1]) }
    }
}
