"""A client of `vt mcp`, written with the Python SDK: mcp_client.py VT MODE, where MODE is auto or legacy."""

import asyncio
import json
import os
import subprocess
import sys

import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client

VT, MODE = sys.argv[1:]
NAMES = ["run", "read", "screen", "send", "wait", "sessions", "create", "ask", "kill", "copy", "profiles"]


def client(*options):
    server = StdioServerParameters(command=VT, args=["mcp", *options], env=dict(os.environ))
    return mcp.Client(stdio_client(server), mode=MODE)


async def call(connection, name, **arguments):
    result = await connection.call_tool(name, arguments)
    assert not result.is_error, (name, result)
    assert result.content[0].text, name
    return result.structured_content


async def fail(connection, name, **arguments):
    result = await connection.call_tool(name, arguments)
    assert result.is_error, (name, result)
    return result.structured_content["error"]["code"]


async def tools(connection):
    listed = (await connection.list_tools()).tools
    assert [tool.name for tool in listed] == NAMES
    definitions = json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in listed])
    # JSON has at least three characters for each token.
    assert len(definitions) / 3 <= 2500, len(definitions)

    run = await call(connection, "run", target="s", line="cd /usr; echo one; false")
    assert (run["output"], run["exit"]["code"], run["outcome"]) == ("one\n", 1, "exit")
    run = await call(connection, "run", target="s", line="pwd; cat", stdin="two\n")
    assert run["output"] == "/usr\ntwo\n"
    flood = await call(connection, "run", target="s", line="seq 1 100000", max_bytes=1000)
    assert len(flood["output"]) < 1200 and flood["truncated"] > 100000
    left = await call(connection, "run", target="s", line="read line; echo $line", timeout_s=0.2)
    assert left["outcome"] == "timed-out"
    sent = await call(connection, "send", target="s", text="three", enter=True, wait=["prompt"])
    assert sent["output"] == "three\n", sent
    assert (await call(connection, "wait", target="s", prompt=True))["command_exit"] == 0
    assert (await call(connection, "wait", target="s", match="never", timeout_s=0.1))["outcome"] == "timed-out"

    part = await call(connection, "read", target="s", max_bytes=100, **{"from": 0})
    rest = await call(connection, "read", target="s", max_bytes=100, raw=True, **{"from": part["next_offset"]})
    assert 0 < part["next_offset"] == rest["from"] <= 100 < rest["next_offset"] <= 200
    assert "three" in (await call(connection, "read", target="s"))["output"]
    assert "three" in (await call(connection, "screen", target="s"))["output"]
    image = (await connection.call_tool("screen", {"target": "s", "format": "png"})).content[1]
    assert (image.type, image.mime_type) == ("image", "image/png")

    assert not any(name in json.dumps(left) for name in ["vt ", "--"]), left
    asked = await call(connection, "run", target="s", line="read -p 'Go on? [y/N] ' answer; echo \"<$answer>\"")
    assert (asked["outcome"], asked["line"]) == ("input", "Go on? [y/N]") and "send" in asked["hint"], asked
    sent = await call(connection, "send", target="s", text="y", enter=True, wait=["prompt"])
    assert sent["output"].endswith("<y>\n"), sent
    less = await call(connection, "run", target="s", line="less /etc/passwd")
    assert less["outcome"] == "input" and "'screen'" in less["hint"], less
    steps = [{"text": "/root"}, {"keys": ["Enter", "q"]}, {"text": "echo last", "enter": True, "wait": ["prompt"]}]
    steps = (await call(connection, "send", target="s", steps=steps))["results"]
    assert len(steps) == 3 and steps[2]["output"].endswith("last\n"), steps
    steps = [{"text": "echo first", "enter": True, "wait": ["match=never"], "timeout_s": 0.2}, {"text": "second"}]
    steps = (await call(connection, "send", target="s", steps=steps))["results"]
    assert [step["outcome"] for step in steps] == ["timed-out"], steps
    for steps in [[{"text": "x"}, {"other": 1}], [{"text": "x"}, {"target": "s"}], [], ["x"], {}]:
        assert await fail(connection, "send", target="s", steps=steps) == "usage", steps
    assert await fail(connection, "send", target="s", text="x", steps=[{"text": "y"}]) == "usage"
    await call(connection, "run", target="gone", line="true")
    await call(connection, "send", target="gone", text="exit", enter=True, wait=["exit"])
    assert await fail(connection, "run", target="gone", line="true") == "ended"
    assert await fail(connection, "create", target="gone") == "exists"
    assert (await call(connection, "create", target="gone", if_exists="ok"))["is_new"]
    killed = (await call(connection, "kill", target="gone", remove=True))["killed"]
    assert [(session["name"], "environment_names" in session) for session in killed] == [("gone", False)], killed
    assert await fail(connection, "read", target="gone") == "not-found"

    await call(connection, "create", target="py", command=["python3", "-q"], env=["PYTHON_BASIC_REPL=1"])
    await call(connection, "wait", target="py", match=">>> ")
    answer = await call(connection, "send", target="py", text="print(6*7)", enter=True, wait=["match=^42$"])
    assert answer["match"] == "42"
    keys = {"keys": ["7", "BSpace", ")"], "repeat": 2, "enter": True}
    await call(connection, "send", target="py", text="print(6", **keys, wait=["match=^6$"])
    assert await fail(connection, "send", target="py", click="[Save]") == "negative"
    assert await fail(connection, "ask", target="py", message="x" * 201) == "usage"
    asked = asyncio.create_task(call(connection, "ask", target="py", message="log in"))
    while "question" not in (await call(connection, "sessions"))["sessions"][1]:
        pass
    assert await fail(connection, "send", target="py", text="1") == "busy"
    subprocess.run([VT, "sessions", "ask", "py", "--done"], check=True)
    assert (await asked)["answer"] == "done"
    listed = await call(connection, "sessions")
    # Sessions that were created in the same second are in any order.
    listed = {session["name"]: session for session in listed["sessions"]}
    assert list(sorted(listed)) == ["py", "s"]
    assert listed["s"]["shell"]["state"] == "prompt"
    assert (await call(connection, "profiles"))["profiles"] == []
    copied = f"{os.environ['HOME']}/copied"
    await call(connection, "copy", **{"from": "/etc/hostname", "to": copied})
    assert open(copied).read() == open("/etc/hostname").read()

    assert await fail(connection, "read", target="none") == "not-found"
    assert await fail(connection, "run", target="--help", line="true") == "usage"
    for name in ["read", "screen", "wait", "kill", "send", "run"]:
        line = {"line": "x", "create": False} if name == "run" else {}
        failure = await connection.call_tool(name, {"target": "none", **line})
        assert not any(word in failure.content[0].text for word in ["vt ", "--"]), failure
    assert await fail(connection, "run", target="s", line="true", other=1) == "usage"
    assert await fail(connection, "wait", target="s", idle_s="x") == "usage"
    try:
        await connection.call_tool("none", {})
        raise AssertionError("an unknown tool was called")
    except mcp.MCPError as error:
        assert error.code == -32602


async def progress(connection):
    seen = []

    async def note(progress, total, message):
        seen.append(message)

    line = "for i in 1 2 3; do echo line $i; sleep 0.6; done"
    await connection.call_tool("run", {"target": "s", "line": line}, progress_callback=note)
    assert seen and "line 1" in seen[0], seen


async def cancellation(connection):
    done = f"{os.environ['HOME']}/done"
    task = asyncio.create_task(connection.call_tool("run", {"target": "s", "line": f"read x; echo $x >{done}"}))
    # The command before may have ended, but not yet have been followed by a prompt.
    while "read x" not in (await call(connection, "sessions"))["sessions"][0]["shell"].get("command", ""):
        pass
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        pass
    await call(connection, "send", target="s", text="continued", enter=True, wait=["prompt"])
    repeated = {"target": "s", "line": "echo once >>~/once; cat ~/once", "request_id": "1"}
    first, second = [await call(connection, "run", **repeated) for _ in range(2)]
    assert first["output"] == second["output"] == "once\n" and first["turn"] == second["turn"]
    assert open(done).read() == "continued\n"


async def resources(connection):
    addresses = [resource.uri for resource in (await connection.list_resources()).resources]
    assert addresses[:2] == ["vt://local/s/screen", "vt://local/s/log"]
    assert len((await connection.list_resource_templates()).resource_templates) == 2
    for address in addresses[:2]:
        assert "continued" in (await connection.read_resource(address)).contents[0].text
    if MODE == "legacy":
        return
    async with connection.listen(resource_subscriptions=["vt://local/s/screen", "vt://local/none/log"]) as changes:
        assert changes.honored.resource_subscriptions == ["vt://local/s/screen"]
        await call(connection, "run", target="s", line="echo changed")
        async for change in changes:
            assert change.uri == "vt://local/s/screen"
            break


async def limits():
    async with client("--read-only") as connection:
        listed = [tool.name for tool in (await connection.list_tools()).tools]
        assert listed == ["read", "screen", "wait", "sessions", "profiles"], listed
    async with client("--allow", "web") as connection:
        for target in ["s", "local:s", "root@host:s"]:
            assert await fail(connection, "run", target=target, line="true") == "usage"
        assert await fail(connection, "sessions") == "usage"
        assert await fail(connection, "copy", **{"from": "/etc/hostname", "to": "/tmp/x"}) == "usage"
        assert (await connection.list_resources()).resources == []
    async with client("--session", "s") as connection:
        listed = [tool.name for tool in (await connection.list_tools()).tools]
        assert "sessions" not in listed and "run" in listed
        assert (await call(connection, "run", line="echo here"))["output"] == "here\n"
        assert await fail(connection, "run", target="py", line="true") == "usage"


async def main():
    async with client() as connection:
        await tools(connection)
        await progress(connection)
        await cancellation(connection)
        await resources(connection)
        await limits()
        for target in ["s", "py"]:
            await call(connection, "kill", target=target)
        assert await fail(connection, "kill", target="none") == "not-found"
    print("ok")


asyncio.run(main())
