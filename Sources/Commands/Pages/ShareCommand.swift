import Arguments
import Core
import Services
import System

/// Makes, lists and revokes links to sessions: `vt share`.
package enum ShareCommand: Command {
    private static let write = Option.flag("write", summary: "allow typing, which for a shell allows everything")
    private static let once = Option.flag("once", summary: "make a link that only a page can use, and not a profile")
    private static let owner = Option.flag(
        "owner",
        excludes: [write],
        summary: "make a link like that of 'vt serve': to all sessions, and to create and end sessions"
    )
    private static let reusable = Option.flag(
        "reusable",
        excludes: [write, once, owner],
        summary: "make a link that any number of pages can open, and that their browsers remember"
    )
    private static let expires = Option(
        "expires",
        .duration(atLeast: .seconds(1)),
        default: "12h",
        summary: "make a link that expires after this time"
    )
    private static let making: [any CommandOption] = [write, once, owner, reusable, expires]
    private static let list = Option.flag("list", excludes: making, summary: "list the links")
    private static let revoke = Option(
        "revoke",
        .text("LINK"),
        excludes: making + [list] + ListOptions<PageLink>.options,
        summary: "revoke a link, and disconnect the pages that use it"
    )

    package static let spec = CommandSpec(
        ["share"],
        summary: "make a link to a session in a browser",
        description: [
            "Prints the URL of a page with one session of those that 'vt serve' serves on this machine. Whoever has "
                + "the URL can watch the session and, with --write, type into it.",
            SessionOperand.explanation,
            "# Links",
            "The URL works in one tab: the first page that opens it replaces its token, so that the history of the "
                + "browser does not contain one that is valid. With --reusable, any number of pages can open it. With "
                + "--owner, it leads to all sessions, as that of 'vt serve'.",
            "The token is not stored, and the URL is never shown again. --list shows the links by their IDs, and "
                + "--revoke takes such an ID. All links become invalid when 'vt serve' ends.",
        ],
        operands: [SessionOperand.optionalSession],
        options: [write, once, owner, reusable, expires, list, revoke] + ListOptions<PageLink>.options,
        examples: [
            ExampleSpec("vt share build", "make a link for watching a session"),
            ExampleSpec("vt share shell --write --expires 1h", "let one other person type for an hour"),
            ExampleSpec("vt share build --reusable", "make a link for watching, for several people"),
            ExampleSpec("vt share --owner", "make another link to all sessions, for another tab"),
            ExampleSpec("vt share --list", "list the links"),
            ExampleSpec("vt share --revoke L2", "revoke a link"),
        ],
        exitCodes: [.notFound, .hostUnreachable, .protocolViolation, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([PageLink].self, when: "with `--list`"), .document(PageLink.self, when: "for a new link")]
    }

    package static func check(_ call: Call) throws(VTError) {
        let actions = [call[SessionOperand.optionalSession] != nil, call[owner], call[list], call[revoke] != nil]
        guard actions.count(where: { $0 }) == 1 else {
            throw VTError(.usage, "specify either SESSION, --owner, --list or --revoke LINK")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let path = try context.world.directories().server
        let service = ShareService(web: context.world.web(), path: path)
        if call[list] {
            let links = try await service.links()
            try ListOptions<PageLink>(call).show(links, in: context, name: { $0.id }, table: Self.table)
        } else if let link = call[revoke] {
            try await service.revoke(link)
        } else {
            let link = try await service.share(
                call[SessionOperand.optionalSession],
                call[owner] ? .owner : call[write] ? .write : .read,
                isOnce: call[once],
                isReusable: call[reusable],
                lifetime: call[expires] ?? .seconds(12 * 3600)
            )
            try context.show(link) { link.url ?? "" }
        }
        return 0
    }

    private static func table(of links: [PageLink]) -> TextTable {
        var table = TextTable(["LINK", "ROLE", "SESSION", "EXPIRES", "PAGES", "USE"])
        for link in links {
            table.add([
                link.id, link.role.rawValue, link.session ?? "all", link.expiresAt?.rawValue ?? "never",
                String(link.pages), link.isReusable ? "any" : link.isUsed ? "used" : "once",
            ])
        }
        return table
    }
}
