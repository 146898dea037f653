import Foundation
import TestSupport
import Testing

/// The command-line clients of databases: psql and sqlite3.
@Suite(.crowded)
struct DatabaseTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    @Test func `psql runs statements, shows errors, pages a result and cancels a query`() async throws {
        let server = try await PostgresServer(in: vt)
        let prompt = "^postgres=# $"
        await DrivenProgram.rounds("psql") { session in
            let options = ["--env", "PSQL_PAGER=less", "--size", "60x10"]
            let psql = try await DrivenProgram(
                session,
                in: vt,
                options: options,
                "psql",
                "-U",
                "postgres",
                "-h",
                server.directory
            )
            try await psql.wait(for: prompt)
            let table = try await psql.send("CREATE TEMPORARY TABLE t (a int, b text);", "--enter", until: prompt)
            try #require(table == "CREATE TABLE\npostgres=# ")
            try await psql.send(
                "INSERT INTO t VALUES (1, 'one'),",
                "--enter",
                "(2, 'two');",
                "--enter",
                until: prompt
            )
            let rows = try await psql.send("SELECT a + 40 AS n, b FROM t ORDER BY a DESC;", "--enter", until: prompt)
            try #require(rows == " n  |  b  \n----+-----\n 42 | two\n 41 | one\n(2 rows)\n\npostgres=# ")
            let failed = try await psql.send("SELECT x;", "--enter", until: prompt)
            try #require(failed.hasPrefix("ERROR:  column \"x\" does not exist\n"))
            try await psql.send("BEGIN;", "--enter", until: "^postgres=\\*# $")
            try await psql.send("ROLLBACK;", "--enter", until: prompt)
            try await psql.send("SELECT generate_series(1, 100) AS n;", "--enter", until: "^:$")
            try await psql.send("G", until: "END")
            try #require(try await psql.screen().contains("(100 rows)"))
            try await psql.send("q", until: prompt)
            // A notice is printed while the server runs the query.
            let query = "DO $$ BEGIN RAISE NOTICE 'started'; PERFORM pg_sleep(1000); END $$;"
            try await psql.send(query, "--enter", until: "^NOTICE:  started$")
            let canceled = try await psql.send("--key", "C-c", until: prompt)
            try #require(canceled.contains("ERROR:  canceling statement due to user request\n"))
            try #require(try await psql.end("\\q", "--enter") == 0)
        }
        try await server.stop()
    }

    @Test func `sqlite3 runs statements of several lines, and shows results and errors`() async {
        let prompt = "^sqlite> $"
        await DrivenProgram.rounds("sqlite3") { session in
            let sqlite = try await DrivenProgram(session, in: vt, "sqlite3", "\(session).db")
            try await sqlite.wait(for: prompt)
            let table = try await sqlite.send("CREATE TABLE t (a, b);", "--enter", until: prompt)
            try #require(table == "sqlite> ")
            try await sqlite.send("INSERT INTO t VALUES (1, 'one'),", "--enter", until: "^   \\.\\.\\.> $")
            try #require(try await sqlite.send("(2, 'two');", "--enter", until: prompt) == "sqlite> ")
            let rows = try await sqlite.send("SELECT a + 40, b FROM t ORDER BY a DESC;", "--enter", until: prompt)
            try #require(rows == "42|two\n41|one\nsqlite> ")
            let failed = try await sqlite.send("SELECT x;", "--enter", until: prompt)
            try #require(failed.hasPrefix("Parse error: no such column: x\n"))
            try await sqlite.send(".mode box", "--enter", until: prompt)
            let box = try await sqlite.send("SELECT count(*) AS n FROM t;", "--enter", until: prompt)
            try #require(box == "┌───┐\n│ n │\n├───┤\n│ 2 │\n└───┘\nsqlite> ")
            try #require(try await sqlite.end(".exit 3", "--enter") == 3)
        }
    }
}
