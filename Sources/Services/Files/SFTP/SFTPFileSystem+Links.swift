import Core
import Runtime

/// Creating symbolic links on servers that disagree about the order of the two paths, and about relative targets.
extension SFTPFileSystem {
    func makeLink(_ path: ByteString, to target: ByteString) async throws(VTError) {
        if client.traits.current.links == nil {
            let links = try await examineLinks(near: path)
            client.traits.update { $0.links = links }
        }
        let links = client.traits.current.links
        let isRelative = target.bytes.first != UInt8(ascii: "/")
        let target = isRelative && links?.areResolved == true ? try await absolute(target, from: path) : target
        try await create(Self.request(path, target, links?.order ?? .targetFirst), path)
    }

    private static func request(
        _ path: ByteString,
        _ target: ByteString,
        _ order: SFTPServerTraits.LinkOrder
    ) -> SFTPRequest {
        switch order {
        case .targetFirst: .makeLink(first: target, second: path)
        case .linkFirst: .makeLink(first: path, second: target)
        }
    }

    /// Creates and removes links next to `path` to find out what the server does with them; nil if it refuses.
    ///
    /// With the actual paths, the wrong order would create a link in the place of the target.
    private func examineLinks(near path: ByteString) async throws(VTError) -> SFTPServerTraits.Links? {
        let identifier = RandomIdentifier.make()
        let (first, second) = (
            path.temporaryPath(ending: "1-\(identifier)"), path.temporaryPath(ending: "2-\(identifier)")
        )
        // Sent together, to save round trips, and so that nothing is left behind.
        let creation = client.submit(.makeLink(first: first, second: second))
        let examination = client.submit(.attributes(first, followsLinks: false))
        let removals = [first, second].map { client.submit(.remove($0)) }
        let isCreated = try await client.failure(client.reply(creation), doing: "") == nil
        let isFirst = try await client.reply(examination).attributes != nil
        for removal in removals { _ = try await client.reply(removal) }
        guard isCreated else { return nil }
        var links = SFTPServerTraits.Links(order: isFirst ? .linkFirst : .targetFirst)
        let requests = [Self.request(first, second.lastName, links.order), .linkTarget(first), .remove(first)]
        let replies = requests.map(client.submit)
        let (reading, removal) = (try await client.reply(replies[1]), try await client.reply(replies[2]))
        guard client.failure(removal, doing: "") == nil, case .names(let entries) = reading,
            let actual = entries.first?.name
        else { return links }
        links.areReported = actual == second.lastName
        if !links.areReported { links.areResolved = try await actual != absolute(second.lastName, from: first) }
        return links
    }

    /// The absolute path of a target that is relative to the directory of a link.
    private func absolute(_ target: ByteString, from path: ByteString) async throws(VTError) -> ByteString {
        try await absolutePath(of: path.parentDirectory).appending(target)
    }
}
