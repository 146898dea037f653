import TestSupport

/// An interpreter or a client of a database that `--repl` knows.
enum ReplProgram: String, CaseIterable, Sendable {
    case python, ipython, node, psql, sqlite3, gdb, irb, ghci, bc

    /// A line and its result.
    struct Line: Sendable {
        var text: String
        var output: String
        var exit: Int32

        init(_ text: String, _ output: String, _ exit: Int32 = 0) {
            (self.text, self.output, self.exit) = (text, output, exit)
        }
    }

    /// The program and its arguments; `database` is the directory with the socket of PostgreSQL.
    func command(database: String) -> [String] {
        switch self {
        case .python: ["/usr/bin/python3", "-q"]
        case .ipython: [TestTree.python, "-m", "IPython", "--no-banner", "--colors=NoColor"]
        case .node: ["node"]
        case .psql: ["psql", "-X", "-h", database, "-U", "postgres", "postgres"]
        case .sqlite3: ["sqlite3"]
        case .gdb: ["gdb", "-q", "-nx"]
        case .irb: ["irb"]
        case .ghci: ["/usr/bin/python3", TestTree.support("haskell_prompt.py")]
        case .bc: ["bc", "-q"]
        }
    }

    private static let long = String(repeating: "x", count: 150)
    private static let unicode = "h\u{E9}llo \u{4E16}\u{754C}"
    private static let numbers = numbers(0...1999)

    private static func numbers(_ range: ClosedRange<Int>) -> String { range.map { "\($0)\n" }.joined() }

    /// A value, several lines, an error, much output, output without a line end, a line that is wrapped, and Unicode.
    ///
    /// A number sign in an output stands for any number.
    var lines: [Line] {
        let (long, text, numbers) = (Self.long, Self.unicode, Self.numbers)
        switch self {
        case .python:
            let error = "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n"
            return [
                Line("1+1", "2\n"), Line("for i in range(3):\n    print(i)\n", "0\n1\n2\n"),
                Line("def f():\n\tif 1:\n\t\treturn 7", ""), Line("f()", "7\n"),
                Line("1/0", error + "ZeroDivisionError: division by zero\n", 1),
                Line("for i in range(2000): print(i)", numbers), Line("print('abc', end='')", "abc"),
                Line("len('\(long)')", "150\n"), Line("'\(text)'", "'\(text)'\n"), Line("", ""),
                Line("1+", "  File \"<stdin>\", line 1\n    1+\n      ^\nSyntaxError: invalid syntax\n", 1),
                Line("a = 1\na + 1\n(a +\n 2)", "2\n3\n"),
            ]
        case .ipython:
            return [
                Line("1+1", "Out[#]: 2\n\n"), Line("for i in range(3):\n    print(i)", "0\n1\n2\n\n"),
                Line("def f():\n\n\tif 1:\n\t\treturn 7", "\n"), Line("f()", "Out[#]: 7\n\n"),
                Line("1+", "  Cell In[#], line 1\n    1+\n      ^\nSyntaxError: invalid syntax\n\n\n", 1),
                Line("for i in range(2000): print(i)", numbers + "\n"), Line("print('abc', end='')", "abc\n"),
                Line("len('\(long)')", "Out[#]: 150\n\n"), Line("'\(text)'", "Out[#]: '\(text)'\n\n"),
                Line((1...30).map { "print(\($0))" }.joined(separator: "\n"), Self.numbers(1...30) + "\n"),
            ]
        case .node:
            return [
                Line("1+1", "2\n"), Line("function g(a) {\n  return a\n}", "undefined\n"), Line("g(7)", "7\n"),
                Line("nope", "Uncaught ReferenceError: nope is not defined\n", 1),
                Line("for (let i = 0; i < 2000; i++) console.log(i)", numbers + "undefined\n"),
                Line("process.stdout.write('abc') && undefined", "abcundefined\n"),
                Line("'\(long)'.length", "150\n"), Line("'\(text)'", "'\(text)'\n"),
            ]
        case .psql:
            return [
                Line("\\t off", ""), Line("\\pset format aligned", "Output format is aligned.\n"),
                Line("select 1 as a;", " a \n---\n 1\n(1 row)\n\n"),
                Line("select 1 as a,\n 2\nas b;", " a | b \n---+---\n 1 | 2\n(1 row)\n\n"),
                Line(
                    "select nope;",
                    "ERROR:  column \"nope\" does not exist\nLINE 1: select nope;\n               ^\n",
                    1
                ),
                Line("\\t on", ""), Line("\\a", "Output format is unaligned.\n"),
                Line("select generate_series(0, 1999);", numbers), Line("\\echo -n abc", "abc"),
                Line("select length('\(long)');", "150\n"), Line("select '\(text)';", "\(text)\n"),
                Line("select 1; select 2;\nselect 3;", "1\n2\n3\n"),
                Line("\\nope", "invalid command \\nope\nTry \\? for help.\n", 1),
            ]
        case .sqlite3:
            let series = "with recursive n(i) as (select 0 union all select i + 1 from n where i < 1999)"
            return [
                Line("select 1;", "1\n"), Line("select 1,\n 2\n;", "1|2\n"),
                Line(
                    "select nope;",
                    "Parse error: no such column: nope\n  select nope;\n         ^--- error here\n",
                    1
                ),
                Line("\(series)\nselect i from n;", numbers), Line("select length('\(long)');", "150\n"),
                Line("select '\(text)';", "\(text)\n"), Line(".print a\nselect 2;", "a\n2\n"),
            ]
        case .gdb:
            return [
                Line("print 1+1", "$# = 2\n"), Line("if 1\nprintf \"foo\\n\"\nend", "foo\n"),
                Line("print nope", "No symbol table is loaded.  Use the \"file\" command.\n", 1),
                Line("python\nfor i in range(2000): print(i)\nend", numbers), Line("printf \"abc\"", "abc"),
                Line("print sizeof(\"\(long)\")", "$# = 151\n"), Line("printf \"\(text)\\n\"", "\(text)\n"),
            ]
        case .irb:
            return [
                Line("1+1", "=> 2\n"), Line("def f(a)\n  if a\n    7\n  end\nend", "=> :f\n"), Line("f(1)", "=> 7\n"),
                Line("1+1\n2+2", "=> 2\n=> 4\n"), Line("2000.times { |i| puts i }", numbers + "=> 2000\n"),
                Line("print 'abc'", "abc=> nil\n"), Line("'\(long)'.length", "=> 150\n"),
                Line("'\(text)'", "=> \"\(text)\"\n"),
            ]
        case .ghci:
            return [
                Line("1+1", "2\n"), Line(":{\nlet a = 4\na+1\n:}", "5\n"),
                Line("nope", "\n<interactive>:1:1: error: name 'nope' is not defined\n", 1),
                Line("mapM(print, 2000)", numbers), Line("print('abc', end='')", "abc"),
                Line("len('\(long)')", "150\n"), Line("'\(text)'", "\(text)\n"),
            ]
        case .bc:
            return [
                Line("1+1", "2\n"), Line("define f(x) {\n\treturn x;\n}", ""), Line("f(7)", "7\n"),
                Line("1/0", "Runtime error (func=(main), adr=3): Divide by zero\n", 1),
                Line("for (i = 0; i < 2000; i++) i", numbers), Line("print \"abc\"", "abc"),
                Line("length(\(String(repeating: "1", count: 150)))", "150\n"), Line("x = 1", ""),
                Line("print \"\(text)\\n\"", "\(text)\n"),
            ]
        }
    }
}
