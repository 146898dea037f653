"""Uses the page of `vt serve` in Chromium: browser.py VT SCENARIO, where SCENARIO is the name of a function below."""

import asyncio
import contextlib
import json
import os
import re
import sys
import tempfile

from cells import COMPARISON, PROGRAMS, styled
from chromium import chromium
from page_client import Closed, Page
from serving import ECHO, HOME, VT, Relay, create, log, opened, screen, serving, serving_through_relay, share, vt


async def listing(browser):
    await create("build", "sh", "-c", "exit 3")
    await create("shell", "cat")
    async with serving() as link:
        page = await opened(browser, link)
        assert "#" not in await page.run("location.href")
        await page.until("document.querySelectorAll('#sessions li').length === 2")
        await page.until_text("exited with 3", "#sessions")
        await page.run("document.querySelector('#sessions a').focus()")
        await create("later", "sleep", "1000")
        await page.until("document.querySelectorAll('#sessions li').length === 3")
        assert await page.run("document.activeElement.textContent.includes('shell')"), "the focus was lost"
        for words, name in [("exited", "build"), ("sleep later", "later"), ("none", "")]:
            await page.run(f"filter.value = {json.dumps(words)}; filter.dispatchEvent(new Event('input'))")
            # The command of a session that is being started is not known at once.
            await page.until(f"document.querySelectorAll('#sessions li').length === {1 if name else 0}")
            assert name in await page.text("#sessions") and await page.run("filter.value") == words
        await page.run("filter.value = 'shell'; filter.dispatchEvent(new Event('input'))")
        await page.click("#sessions a")
        await page.until("session.reference === 'shell' && session.isWatched")
        await page.click("#back")
        await page.until("!list.hidden && session.reference === ''")
        await vt("sessions", "kill", "shell")
        await page.until_text("killed by", "#sessions")
        assert page.problems == [], page.problems


async def typing(browser):
    await create("s", *ECHO)
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.until_text("ready")
        await page.type("ls -l\n")
        await page.until_text("readyls -l^M")
        for name, modifiers, shown in [
            ("a", {"control": True}, "^A"), ("x", {"alt": True}, "^[x"), ("ArrowUp", {}, "^[[A"), ("F5", {}, "^[[15~"),
            ("ArrowLeft", {"control": True}, "^[[1;5D"), ("Tab", {}, "^I"), ("Tab", {"shift": True}, "^[[Z"),
            ("Backspace", {}, "^?"), ("Escape", {}, "^["),
        ]:
            before = await page.text("#lines")
            await page.key(name, **modifiers)
            await page.until(f"lines.textContent === {json.dumps(before + shown)}")
        # What a dead key and the layout AltGr produce.
        await page.call("Input.insertText", text="é@")
        await page.until_text("M-CM-)@")
        await page.until("session.pending.length === 0")
        assert page.problems == [], page.problems


async def pasting(browser):
    await create("plain", *ECHO)
    await create("bracketed", "sh", "-c", r"stty raw -echo; printf '\e[?2004h'ready; exec cat -v")
    async with serving() as link:
        page = await opened(browser, link, "plain")
        await page.until_text("ready")
        await page.paste("one\ntwo")
        await page.until_text("readyone^Mtwo")
        await page.run("location.hash = '#/bracketed'")
        await page.until("session.update?.modes.includes('bracketed-paste')")
        await page.click("#screen")
        await page.paste("one\ntwo")
        await page.until_text("^[[200~one^Mtwo^[[201~")
        # What is too long for a message is sent in parts, and what is typed meanwhile after them.
        before = await page.run("session.sequence")
        await page.paste("é" * 70000)
        await page.type("end")
        await page.until("session.pending.length === 0 && session.unsent.length === 0")
        assert await page.run("session.sequence") == before + 3 + 3
        await vt("sessions", "wait", "bracketed", "--match", "end", "--from", "0")
        shown = (await log("bracketed")).replace("\r", "").replace("\n", "")
        assert shown.count("M-CM-)") == 70000 and shown.endswith("M-CM-)^[[201~end"), shown[-100:]


async def composing(browser):
    await create("s", *ECHO)
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.until_text("ready")
        for text in ["n", "に", "にほ", "日本"]:
            await page.call("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))
            assert await page.run("field.value") == text
            assert await page.run("getComputedStyle(field).opacity") == "1", "the composed text is not shown"
        assert await page.run("session.sequence") == 0, "text was sent before the end of the composition"
        await page.call("Input.insertText", text="日本")
        await page.key("a")
        await page.until_text("readyM-fM-^WM-%M-fM-^\\M-,a")
        assert await page.run("session.sequence") == 2 and await page.run("field.value") == ""
        # A composition that is canceled sends nothing.
        await page.call("Input.imeSetComposition", text="x", selectionStart=1, selectionEnd=1)
        await page.call("Input.imeSetComposition", text="", selectionStart=0, selectionEnd=0)
        await page.key("b")
        await page.until_text("M-,ab")


async def key_bar(browser):
    await create("s", *ECHO)
    async with serving() as link:
        page = await opened(browser, link, "s", width=390, height=844, touch=True)
        await page.until_text("ready")
        await page.until("!keys.hidden || matchMedia('(pointer: coarse)').matches === false")
        if await page.run("keys.hidden"):
            await page.run("keysToggle.click(); field.focus()")
        assert await page.run("document.documentElement.scrollWidth") == 390
        sizes = await page.run(
            "Array.from(document.querySelectorAll('#keys button'), (key) => key.getBoundingClientRect())"
            ".map(({ width, height }) => Math.min(width, height))"
        )
        assert len(sizes) == 20 and min(sizes) >= 44, sizes
        shown = "ready"
        for label, output in [
            ("Esc", "^["), ("Tab", "^I"), ("↑", "^[[A"), ("←", "^[[D"), ("^C", "^C"), ("^D", "^D"), ("^Z", "^Z"),
            ("^L", "^L"), ("Home", "^[[H"), ("PgDn", "^[[6~"), ("|", "|"), ("~", "~"), ("-", "-"),
        ]:
            shown += output
            await page.click(f"[id='{label}']")
            await page.until(f"lines.textContent.startsWith({json.dumps(shown)})")
            assert await page.run("document.activeElement === field"), "the keyboard of a phone would close"
        pressed = "document.getElementById('Ctrl').ariaPressed"
        await page.click("#Ctrl")
        assert await page.run(pressed) == "true"
        await page.type("ab")
        await page.until_text(shown + "^Ab")
        assert await page.run(pressed) == "false", "Ctrl is held for more than one key"
        await page.click("#Ctrl")
        await page.click("#Ctrl")
        assert await page.run(pressed) == "false", "a second press does not release Ctrl"
        await page.click("#Ctrl")
        await page.click("[id='→']")
        await page.until_text("^[[1;5C")
        await page.click("#Alt")
        await page.run("field.blur()")
        assert await page.run("document.getElementById('Alt').ariaPressed") == "false"
        # The keyboards of many phones compose each word.
        await page.run("field.focus()")
        await page.click("#Ctrl")
        await page.call("Input.imeSetComposition", text="c", selectionStart=1, selectionEnd=1)
        await page.until_text("^[[1;5C^C")
        assert page.problems == [], page.problems


async def fit(browser):
    await create("s", "cat")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.call(
            "Emulation.setDeviceMetricsOverride", width=800, height=500, deviceScaleFactor=1, mobile=False
        )
        await page.until("innerWidth === 800")
        assert (await screen("s"))["size"] == {"columns": 80, "rows": 24}, "the size changed unasked"
        await page.click("#fit")
        await page.until("session.update.size.columns !== 80")
        size = (await screen("s"))["size"]
        assert size == await page.run("session.update.size") and size["rows"] != 24
        assert await page.run("view.scrollWidth <= view.clientWidth && view.scrollHeight <= view.clientHeight")
        assert await page.run("view.clientWidth - lines.getBoundingClientRect().width < 16 + 2 * cellWidth")


async def read_only(browser):
    await create("s", *ECHO)
    async with serving():
        page = await opened(browser, await share("s"))
        await page.until_text("ready")
        await page.until_text("read-only", "#state")
        for control in ["#field", "#fit", "#keys"]:
            assert not await page.is_shown(control), control
        await page.type("x\n")
        await page.paste("y")
        assert await page.run("session.sequence") == 0
        # By hand, against the rules of the page.
        await page.run("send(Kind.resize, integer(50, 2), integer(10, 2))")
        await page.run("send(Kind.input, integer(1, 8), [0], 'z')")
        await page.until("document.getElementById('message').textContent !== ''")
        await page.run("send(Kind.key, integer(2, 8), 'Up'); send(Kind.paste, integer(3, 8), 'w')")
        await page.run("send(Kind.watch, session.token, 'other')")
        await vt("sessions", "send", "s", "end")
        await vt("sessions", "wait", "s", "--match", "end", "--from", "0", "--timeout", "60s")
        # Input that should not arrive gets time to do so.
        await asyncio.sleep(0.5)
        assert await log("s") == "readyend" and (await screen("s"))["size"]["columns"] == 80


async def question(browser):
    await create("s", *ECHO)
    async with serving() as link:
        reader, page = await opened(browser, await share("s")), await opened(browser, link, "s")
        assert not await page.is_shown("#question")
        for button, exit in [("#done", 0), ("#refuse", 1)]:
            asking = await asyncio.create_subprocess_exec(VT, "sessions", "ask", "s", "log in \u202e<b>\x1b[31m")
            for shown in (reader, page):
                await shown.until("!question.hidden")
                assert await shown.text("#request") == "log in  <b> [31m"
                assert await shown.text("#state") in ("asks", "asks, read-only")
            assert not await reader.is_shown("#done") and not await reader.is_shown("#refuse")
            await reader.run("answer('done')")
            await page.type("x")
            await page.until("session.pending.length === 0")
            assert asking.returncode is None
            await page.click(button)
            assert await asking.wait() == exit
            for shown in (reader, page):
                await shown.until("question.hidden")
        await page.until_text("readyxx")
        assert page.problems == [], page.problems


async def rows(browser):
    """Text whose width the page has to guess neither shifts nor hides what follows it."""
    await create("s", "sh", "-c", r"printf 'ｱｲ漢字|\nﾡﾢ한글 ﾡ|\nक्षत्रिय हिन्दी abc|\nहिन्दी शब्द संस्कृत end|\n'; exec cat")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.until_text("end|")
        for at, row in enumerate((await screen("s"))["rows"][:4]):
            column = sum(run["width"] for run in row["runs"]) - 1
            left = await page.run(
                f"(() => {{ const row = lines.children[{at}]; let node = row.lastChild;"
                " while (node.lastChild) node = node.lastChild; const range = new Range();"
                " range.setStart(node, node.length - 1); range.setEnd(node, node.length);"
                " return (range.getBoundingClientRect().x - row.getBoundingClientRect().x) / cellWidth; })()"
            )
            assert abs(left - column) < 0.1, (row, left)
            clipped = await page.run(
                f"Array.from(lines.children[{at}].querySelectorAll('.box'), (box) => box.textContent)"
                ".filter((text) => /[ -~]/.test(text))"
            )
            assert not clipped, (row, clipped)
        assert page.problems == [], page.problems


async def foreign_choices(browser):
    """What another page of the same origin has stored does not matter."""
    await create("s", *ECHO)
    async with serving() as link:
        page = await opened(browser, link, "s")
        for value in ["not JSON", "null", "7", "[]", '"text"', '{"theme": "constructor"}', '{"theme": {}, "hasKeys": 1}']:
            await page.run(f"localStorage.setItem('vt', {json.dumps(value)})")
            await page.reload()
            await page.until_text("ready")
        await page.run("choose('theme', 'nord')")
        await page.reload()
        await page.until("theme.value === 'nord'")
        assert page.problems == [], page.problems


async def revoked(browser):
    await create("s", "cat")
    async with serving() as owner:
        page = await opened(browser, await share("s"))
        await page.until("session.isWatched")
        (identifier,) = set(re.findall(r"\bL\d+\b", await vt("share", "--list"))) - {"L1"}
        await vt("share", "--revoke", identifier)
        await page.until_text("revoked", "#notice")
        assert await page.run("socket === null && token === '' && lines.textContent === ''")
        await page.reload()
        await page.until_text("A link is needed", "#notice")
        other = await opened(browser, owner, "s")
        assert await other.run("session.isWatched")


async def expired(browser):
    await create("s", "cat")
    async with serving() as owner:
        page = await browser.page(await share("s", "--expires", "1s"))
        await page.until_text("not valid", "#notice")
        wrong = await browser.page(owner.split("#")[0] + "#k=AAAAAAAAAAAAAAAAAAAAAA")
        await wrong.until_text("not valid", "#notice")
        assert not await wrong.is_shown("#retry")


async def once(browser):
    await create("s", *ECHO)
    async with serving():
        link = await share("s", "--once", "--write")
        page = await opened(browser, link)
        await page.until_text("ready")
        second = await browser.page(link)
        await second.until_text("already been used", "#notice")
        await page.reload()
        await page.until_text("ready")
        await page.click("#screen")
        await page.type("x")
        await page.until_text("readyx")


async def remembered(_):
    """Nothing in the files of a browser opens a session after a visit, except a link for watching that is made for this."""
    await create("s", *ECHO)
    async with serving() as owner:
        port = int(re.search(r":(\d+)/", owner)[1])
        links = [owner, await share("s", "--write"), await share("s"), await share("s", "--write", "--once")]
        reusable = await share("s", "--reusable")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            async with chromium(profile) as browser:
                pages = [await opened(browser, link, "s", is_stored=True) for link in [*links, reusable]]
                for page in pages[:3]:
                    await page.reload()
                    await page.until_text("ready")
                keys = [await page.run("token") for page in pages]
                # Also what a tab remembers that is at another page now.
                await pages[1].call("Page.navigate", url="data:text/html,other")
                await pages[2].close()
            found = set()
            for folder, _, names in os.walk(profile):
                for name in names:
                    with contextlib.suppress(OSError), open(f"{folder}/{name}", "rb") as file:
                        contents = file.read()
                        for text in [contents, contents.replace(b"\0", b"")]:
                            found |= {match.decode() for match in re.findall(rb"[\w-]{20,}", text)}
        everything = " ".join(found)
        for link in [*links, reusable]:
            assert link.split("#k=")[1] in everything, "the history does not contain the link"
        for key in keys[:4]:
            assert len(key) == 64 and key[32:] not in everything, "a file contains the key"
        # All that looks like a token or key, alone and in pairs of what is stored for the page.
        halves = [key[:32] for key in keys[:4]]
        tried = {text[start:start + size] for text in found if len(text) <= 200 for size in (32, 64)
                 for start in range(max(0, len(text) - size + 1))}
        tried = {text for text in tried if re.fullmatch(r"[\w-]+", text)} | {a + b for a in halves for b in halves}
        usable = [text for text in tried if await role(port, text)]
        assert usable == [reusable.split("#k=")[1]], usable
        assert await role(port, usable[0]) == "read"
        assert await role(port, keys[0]) == "owner", "the key does not work"


async def role(port, text):
    """The role of a token or key; None if the server does not accept it."""
    def log_in():
        page = Page(port, text)
        try:
            return json.loads(page.until(112))["role"]
        except Closed:
            return None
        finally:
            page.close()
    return await asyncio.to_thread(log_in)


@contextlib.asynccontextmanager
async def disconnected(browser):
    """A page with the session 's', and its relay, which has just cut the connection."""
    await create("s", *ECHO)
    async with serving_through_relay() as (link, relay):
        page = await opened(browser, link, "s")
        await page.until_text("ready")
        relay.cut()
        await page.until_text("reconnecting", "#session .connection")
        yield page, relay


async def reconnecting(browser):
    """Types while connections are cut: all input arrives once, and in order."""
    async with disconnected(browser) as (page, relay):
        await page.type("offline;")
        await page.until_text("not sent yet", "#session .connection")
        await page.until_text("readyoffline;")
        assert await page.text("#session .connection") == "Connected"
        # What the browser reports when the network is back: the page does not wait for its timer.
        online = "dispatchEvent(new Event('online'))"
        text = ""
        for number in range(100):
            text += f"{number};"
            await page.type(f"{number};")
            relay.cut()
            if number % 3 == 0:
                await page.until(f"{online}, session.isWatched && session.pending.length === 0")
            await page.run(online)
        await page.until(f"{online}, session.isWatched && session.pending.length === 0")
        await vt("sessions", "wait", "s", "--match", "99;", "--from", "0", "--timeout", "60s")
        output = (await log("s")).replace("\r", "").replace("\n", "")
        assert output == "readyoffline;" + text, output


async def renaming(browser):
    """Input that is typed while the page is disconnected is for the session, whatever its name is now."""
    async with disconnected(browser) as (page, relay):
        await page.type("offline")
        await vt("sessions", "rename", "s", "renamed")
        await create("s", *ECHO)
        await page.run("dispatchEvent(new Event('online'))")
        await page.until_text("readyoffline")
        await page.until("session.reference === 'renamed' && location.hash === '#/renamed'")
        assert await log("s") == "ready", "input went to another session"
        # The first key after a click in the list, and after one in the toolbar, is for the program.
        await page.click("#back")
        await page.click("#sessions a[href='#/s']")
        await page.until_text("ready")
        await page.key("c", control=True)
        await page.until_text("ready^C")
        await page.click("#fit")
        await page.key("ArrowUp")
        await page.until_text("ready^C^[[A")


async def on_server(browser):
    """Uses a session on a server while the connection to the server is lost: browser.py VT on_server PORT USER KEY."""
    port, user, key = sys.argv[3:6]
    async with Relay(int(port)) as relay:
        address = f"{user}@127.0.0.1:{relay.port_of_clients}"
        await vt("profile", "add", "web", address, "--identity", key, "--no-agent")
        await create("web:deploy", *ECHO)
        async with serving("web:deploy") as link:
            page = await opened(browser, link, "web:deploy")
            await page.until_text("ready")
            await page.type("one;")
            await page.until_text("readyone;")
            for number in range(3):
                relay.is_blocked = True
                relay.cut()
                await page.until_text("Lost the connection to the session", "#message")
                await page.type(f"{number};")
                relay.is_blocked = False
                await page.until_text("works again", "#message")
                await page.until(f"lines.textContent.endsWith('{number};') && session.pending.length === 0")
            output = (await log("web:deploy")).replace("\r", "").replace("\n", "")
            assert output == "readyone;0;1;2;", output
            assert page.problems == [], page.problems
        await vt("sessions", "kill", "web:deploy", "--remove")


async def timeline(browser):
    recording = f"{HOME}/build.cast"
    with open(recording, "w") as file:
        print('{"version": 2, "width": 80, "height": 24}', file=file)
        for number, time in enumerate([0.01, 0.4, 0.8, 1.2]):
            print(json.dumps([time, "o", f"line {number + 1}\r\n"]), file=file)
    await create("live", "sh", "-c", "for i in 1 2 3; do echo live $i; sleep 2; done; exec cat")
    async with serving("live", recording) as link:
        page = await opened(browser, link, "build.cast")
        assert not await page.is_shown("#field") and await page.is_shown("#timeline")
        for time, text in [(0.6, "line 1line 2"), (0.1, "line 1"), (1.4, "line 1line 2line 3line 4")]:
            await page.run(f"position.value = {time}; position.dispatchEvent(new Event('input'))")
            await page.until(f"lines.textContent === {json.dumps(text)}")
        await page.key("Home")
        await page.until("session.time < 0.05")
        for text in ["line 1line 2", "line 1line 2line 3"]:
            await page.until("!session.isSeeking")
            if "line 1" not in await page.text("#lines"):
                await page.key(".")
                await page.until_text("line 1")
            await page.key(".")
            await page.until(f"lines.textContent === {json.dumps(text)}")
        await page.key("Home")
        await page.key(" ")
        await page.until("!session.isPlaying && lines.textContent === 'line 1line 2line 3line 4'")
        assert "/ 0:00:01" in await page.text("#time")

        await page.run("location.hash = '#/live'")
        await page.until_text("live 3")
        await page.click("#timelineToggle")
        await page.run("position.value = 3; position.dispatchEvent(new Event('input'))")
        await page.until("!lines.textContent.includes('live 3') && lines.textContent.includes('live 2')")
        await page.click("#live")
        await page.until_text("live 3")
        await page.run("position.value = 3; position.dispatchEvent(new Event('input'))")
        await page.until("!lines.textContent.includes('live 3')")
        await page.click("#screen")
        await page.type("typed")
        await page.until_text("typed")
        assert page.problems == [], page.problems


async def downloading(browser):
    await create("s", "sh", "-c", "echo downloaded; exec cat")
    async with serving() as link:
        folder = f"{HOME}/downloads"
        os.makedirs(folder)
        page = await opened(browser, link, "s", downloads=folder)
        await page.until_text("downloaded")
        await page.click("#download")
        async with asyncio.timeout(30):
            # The browser creates an empty file, which it replaces.
            while not (names := [name for name in os.listdir(folder) if name.endswith(".cast")]) or not (
                text := open(f"{folder}/{names[0]}").read()
            ):
                await asyncio.sleep(0.02)
        assert json.loads(text.split("\n")[0])["version"] == 3 and "downloaded" in text
        assert page.problems == [], page.problems


async def hostile(browser):
    """Output that attacks the page only changes text."""
    output = (
        r"<script>document.title=1</script><img src=x onerror=alert(1)>\n"
        r"\e]8;;javascript:alert(1)\e\\one\e]8;;\e\\ \e]8;;data:text/html,x\e\\two\e]8;;\e\\ "
        r"\e]8;;https://example.com/?a=\"><b>\e\\three\e]8;;\e\\ \e]8;;mailto:a@example.com\e\\four\e]8;;\e\\\n"
        r"left \u202eright\u2066 end|\n\u05d0\u05d1\u05d2|\n"
        r"\e]52;c;YmFk\a\e]0;<b>\u202etitle\a"
    )
    title = r"head -c 1000000 /dev/zero | tr '\\0' T | (printf '\e]2;'; cat; printf '\a')"
    await create("s", "bash", "-c", f"printf '{output}'; exec cat")
    await create("long", "bash", "-c", f"{title}; printf shown; exec cat")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.until_text("end|")
        await page.until_text("<script>document.title=")
        await page.until_text("<b>", "#title")
        assert "\u202e" not in await page.text("#title")
        assert await page.run("document.title") == "s – vt"
        assert await page.run("document.querySelectorAll('#session script, #session img, #session b').length") == 0
        links = await page.run("Array.from(lines.querySelectorAll('a'), (a) => [a.textContent, a.protocol, a.rel])")
        assert [link[:2] for link in links] == [["three", "https:"], ["four", "mailto:"]], links
        assert all(link[2] == "noopener noreferrer" for link in links)
        # Each bar is where its column is, whatever precedes it.
        expected = (await screen("s"))["rows"]
        for at, row in enumerate(expected):
            if row["text"].endswith("|"):
                column = sum(run["width"] for run in row["runs"]) - 1
                left = await page.run(
                    f"(() => {{ const row = lines.children[{at}]; let node = row.lastChild;"
                    " while (node.lastChild) node = node.lastChild; const range = new Range();"
                    " range.setStart(node, node.length - 1); range.setEnd(node, node.length);"
                    " return (range.getBoundingClientRect().x - row.getBoundingClientRect().x) / cellWidth; })()"
                )
                assert abs(left - column) < 0.1, (row, left)
        await page.run("location.hash = '#/long'")
        await page.until_text("shown")
        assert len(await page.text("#title")) <= 500
        assert page.problems == [], page.problems


async def accessible(browser):
    await create("s", "sh", "-c", "printf '$ '; exec cat")
    await create("flood", "sh", "-c", "read x; seq 1 300000; exec cat")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.run("keysToggle.click()")
        await page.run("timelineToggle.click()")
        tree = (await page.call("Accessibility.getFullAXTree"))["nodes"]
        controls = {"button", "textbox", "link", "slider", "combobox", "searchbox"}
        named = [
            (node["role"]["value"], node["name"]["value"])
            for node in tree if not node["ignored"] and node["role"]["value"] in controls
        ]
        assert len(named) >= 30 and all(name for _, name in named), named
        assert ("textbox", "Terminal input") in named and ("button", "Control C") in named, named

        await page.click("#screen")
        await page.key("Tab")
        assert await page.run("document.activeElement === field"), "Tab is not for the program"
        await page.key("Enter", control=True, shift=True)
        assert await page.run("document.activeElement.id") == "back"
        for name in ["fit", "keysToggle"]:
            await page.key("Tab")
            style = await page.run("getComputedStyle(document.activeElement).outlineStyle")
            assert style == "solid", (await page.run("document.activeElement.id"), style)
            assert await page.run("document.activeElement.id") == name

        await page.click("#screen")
        await page.type("hello\n")
        await page.until_text("hello", "#announcer")

        await page.run("location.hash = '#/flood'")
        await page.until("session.reference === 'flood' && session.isWatched")
        await page.run(
            "window.changes = 0; new MutationObserver((list) => changes += list.length)"
            ".observe(announcer, { childList: true }); window.began = performance.now()"
        )
        await page.click("#screen")
        await page.type("\n")
        await page.until_text("300000")
        await page.until("announcer.textContent.includes('300000')")
        changes, seconds = await page.run("[changes, (performance.now() - began) / 1000]")
        assert changes <= seconds + 1 and len(await page.text("#announcer")) <= 1000, (changes, seconds)
        await page.click("#announce")
        await page.run("changes = 0")
        await page.click("#screen")
        await page.type("quiet\n")
        await page.until_text("quiet")
        await asyncio.sleep(1.5)
        assert await page.run("changes") == 0, "muted output was announced"

        # At 200 % zoom, the page has half the width.
        await page.call("Emulation.setDeviceMetricsOverride", width=550, height=350, deviceScaleFactor=2, mobile=False)
        await page.until("innerWidth === 550")
        assert await page.run("document.documentElement.scrollWidth") <= 550
        await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        assert await page.run("document.getAnimations().length") == 0


async def scrolling(browser):
    await create("s", "sh", "-c", "seq 1 2000; exec cat")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.until_text("2000")
        await page.until_text("(1977)", "#earlier")
        await page.run("document.getElementById('earlier').click()")
        await page.until("document.querySelector('#history').children.length === 500")
        assert await page.run("document.querySelector('#history').lastChild.textContent") == "1977"
        await page.until("!bottom.hidden")
        while await page.is_shown("#earlier"):
            await page.run("view.scrollTop = 0")
        await page.until("document.querySelector('#history').children.length === 1977")
        assert await page.run("document.querySelector('#history').firstChild.textContent") == "1"
        top = await page.run("view.scrollTop = 500")
        await vt("sessions", "send", "s", "later", "--enter")
        await page.until_text("1979", "#history")
        assert await page.run("view.scrollTop") == top, "new output moved what is read"
        await page.click("#bottom")
        await page.until("document.querySelector('#history').children.length === 0 && session.isFollowing")


async def ended(browser):
    await create("s", "sh", "-c", "read line; exit 7")
    async with serving() as link:
        page = await opened(browser, link, "s")
        await page.type("x\n")
        await page.until_text("exited with 7", "#message")
        await page.until_text("exited with 7", "#state")
        await page.type("y")
        assert await page.run("session.pending.length") == 0
        await page.run("location.hash = '#/none'")
        await page.until("/none/.test(document.getElementById('message').textContent)")


async def cells(browser):
    """The page shows each cell as `vt sessions screen` does."""
    for name, line in PROGRAMS.items():
        await create(name, "bash", "-c", f'{line}; exec cat' if "exec" not in line else line)
    async with serving() as link:
        page = await opened(browser, link)
        theme = [f"#{digits}" for digits in (await page.run("themes['vscode-dark']")).split()]
        for name in PROGRAMS:
            await page.run(f"location.hash = '#/{name}'")
            await page.until(f"session.reference === '{name}' && session.update !== null")
            async with asyncio.timeout(60):
                while (differences := await compare(page, name, theme)) is None:
                    await asyncio.sleep(0.05)
            assert not differences, (name, differences)
        assert page.problems == [], page.problems


async def compare(page, name, theme):
    """The differences between the page and the screen; None if they are not at the same output."""
    shown = await screen(name)
    await page.until("!document.hidden")
    if shown["offset"] == 0 or await page.run("session.update.offset") != shown["offset"]:
        return None
    is_reversed = "reverse-video" in shown["modes"]
    rows = [
        {
            "scale": 2 if "size" in row else 1,
            "runs": [
                {
                    "text": run["text"], "column": run["column"], "css": styled(run, theme, is_reversed),
                    "link": run["link"] if run.get("link", "").startswith(("https:", "mailto:")) else None,
                }
                for run in row["runs"]
            ],
        }
        for row in shown["rows"]
    ]
    differences = await page.run(f"({COMPARISON})({json.dumps(rows)})")
    # A difference counts only if the page has not changed meanwhile.
    return None if differences and (await screen(name))["offset"] != shown["offset"] else differences


async def main():
    async with chromium() as browser:
        await globals()[sys.argv[2]](browser)
    print("ok")


asyncio.run(main())
