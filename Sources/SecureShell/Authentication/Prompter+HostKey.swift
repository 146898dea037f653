import Core

extension Prompter {
    /// Asks whether to trust the key of an unknown host, with the words of ssh(1), which programs such as expect look for,
    /// until the answer is `yes`, `no`, the fingerprint or nothing.
    ///
    /// `address` is nil if the connection goes through another program or server.
    func trusts(
        _ key: HostKey,
        _ fingerprint: String,
        of plan: SSHPlan,
        at address: String?
    ) async throws(VTError) -> Bool {
        let port = plan.endpoint.port
        func name(_ host: String) -> String { port == Endpoint.standardPort ? host : "[\(host)]:\(port)" }
        let host = plan.hostKeyLookup.alias ?? name(plan.endpoint.host)
        let place = address.map(name) ?? "<no hostip for proxy command>"
        let type =
            switch key.type {
            case "ssh-ed25519": "ED25519"
            case "ssh-rsa": "RSA"
            default: key.type.hasPrefix("ecdsa-") ? "ECDSA" : key.type.sanitized
            }
        let text = """
            The authenticity of host '\(host) (\(place))' can't be established.
            \(type) key fingerprint is \(fingerprint).
            Are you sure you want to continue connecting (yes/no/[fingerprint])?\u{20}
            """
        var prompt = Prompt(text)
        prompt.echoes = true
        while let answer = try await answer(prompt) {
            let words = String(decoding: answer.bytes, as: UTF8.self).split { $0 == " " || $0 == "\t" }
            let word = words.first.map(String.init) ?? ""
            if word.lowercased() == "yes" || word == fingerprint { return true }
            if word.isEmpty || word.lowercased() == "no" { return false }
            prompt.text = "Please type 'yes', 'no' or the fingerprint: "
        }
        return false
    }
}
