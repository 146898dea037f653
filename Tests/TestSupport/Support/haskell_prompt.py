"""A program that looks like GHCi: its prompts, its errors and its line editing, without a compiler."""

import readline  # noqa: F401

names = {}
while True:
    try:
        line = input("ghci> ")
        while line == ":{" or (line.startswith(":{") and not line.endswith(":}")):
            line += "\n" + input("ghci| ")
    except EOFError:
        break
    for statement in line.removeprefix(":{").removesuffix(":}").strip().splitlines():
        if statement.startswith("let "):
            name, _, value = statement[4:].partition("=")
            names[name.strip()] = eval(value, {}, names)
            continue
        try:
            result = eval(statement, {"mapM": lambda f, n: [f(i) for i in range(n)] and None, "print": print}, names)
            if result is not None:
                print(result)
        except Exception as error:
            print(f"\n<interactive>:1:1: error: {error}")
