"""A headless Chromium, controlled over the DevTools protocol."""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import tempfile

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 30
KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "Home": 36, "ArrowUp": 38, "ArrowLeft": 37, "F5": 116}


@contextlib.asynccontextmanager
async def chromium(profile=None):
    """A browser with its own profile directory, which is removed unless it is given."""
    with contextlib.ExitStack() as stack:
        profile = profile or stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        process = await asyncio.create_subprocess_exec(
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
            "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--hide-scrollbars", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(PATIENCE):
                line = b""
                while b"DevTools listening on " not in line:
                    line = await process.stderr.readline()
                    assert line, "chromium has ended"
            drain = asyncio.create_task(process.stderr.read())
            address = line.decode().split("listening on ")[1].strip()
            async with connect(address, max_size=None) as socket:
                browser = Browser(socket)
                yield browser
                # Everything is written to the profile.
                with contextlib.suppress(ConnectionClosed):
                    await browser.call("Browser.close")
                async with asyncio.timeout(PATIENCE):
                    await process.wait()
            drain.cancel()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Refused(Exception):
    """The browser did not perform a call, such as one for a page that was replaced meanwhile."""


class Browser:
    def __init__(self, socket):
        self.socket = socket
        self.numbers = itertools.count(1)
        self.answers = {}
        self.pages = {}
        self.task = asyncio.create_task(self.receive())

    async def receive(self):
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                message = json.loads(text)
                if "id" in message:
                    answer = self.answers.pop(message["id"])
                    if not answer.done():
                        answer.set_result(message)
                elif page := self.pages.get(message.get("sessionId")):
                    page.note(message["method"], message["params"])

    async def call(self, method, page=None, **parameters):
        number = next(self.numbers)
        self.answers[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters}
        await self.socket.send(json.dumps(message | ({"sessionId": page} if page else {})))
        async with asyncio.timeout(PATIENCE):
            answer = await self.answers[number]
        if "error" in answer:
            raise Refused(method, answer["error"])
        return answer["result"]

    async def page(self, address, width=1100, height=700, dark=True, touch=False, downloads=None, is_stored=False):
        """A page in a context of its own: it shares no storage with the others.

        With `is_stored`, it is instead in the context that the profile directory keeps.
        """
        context = None if is_stored else (await self.call("Target.createBrowserContext"))["browserContextId"]
        if downloads:
            await self.call(
                "Browser.setDownloadBehavior", behavior="allow", browserContextId=context, downloadPath=downloads
            )
        given = {} if is_stored else {"browserContextId": context}
        target = (await self.call("Target.createTarget", url="about:blank", **given))["targetId"]
        attached = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, attached["sessionId"], target)
        self.pages[page.session] = page
        for domain in ["Page", "Runtime", "Log"]:
            await page.call(f"{domain}.enable")
        # Pages in the background are not painted.
        await page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        await page.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if touch else 1,
            mobile=touch,
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        if touch:
            await page.call("Emulation.setTouchEmulationEnabled", enabled=True)
            features += [{"name": "pointer", "value": "coarse"}]
        await page.call("Emulation.setEmulatedMedia", features=features)
        await page.open(address)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser = browser
        self.session = session
        self.target = target
        self.problems = []

    def note(self, method, parameters):
        """Records exceptions, and errors such as violations of the content security policy."""
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", details).get("description", str(details)))
        if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.problems.append(parameters["entry"]["text"])

    async def call(self, method, **parameters):
        return await self.browser.call(method, self.session, **parameters)

    async def open(self, address):
        await self.call("Page.navigate", url=address)
        await self.until("location.href !== 'about:blank' && document.readyState === 'complete'")

    async def reload(self):
        await self.run("window.isReplaced = false")
        await self.call("Page.reload")
        await self.until("window.isReplaced === undefined && document.readyState === 'complete'")

    async def close(self):
        await self.browser.call("Target.closeTarget", targetId=self.target)

    async def run(self, script):
        """The value of an expression; a promise is awaited."""
        answer = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, (script, answer["exceptionDetails"])
        return answer["result"].get("value")

    async def until(self, script, patience=PATIENCE):
        """Waits until an expression is true, and returns its value."""
        try:
            async with asyncio.timeout(patience):
                # The expression or the call fails while the page is being loaded.
                while True:
                    with contextlib.suppress(Refused):
                        if value := await self.run(f"try {{ {script} }} catch {{ }}"):
                            return value
                    await asyncio.sleep(0.02)
        except TimeoutError:
            text = await self.run("document.body.innerText")
            raise AssertionError(f"never true: {script}\n{text}\n{self.problems}") from None

    async def until_text(self, text, where="#lines"):
        await self.until(f"document.querySelector({json.dumps(where)}).textContent.includes({json.dumps(text)})")

    async def text(self, where):
        return await self.run(f"document.querySelector({json.dumps(where)}).textContent")

    async def is_shown(self, where):
        return await self.run(f"document.querySelector({json.dumps(where)}).checkVisibility()")

    async def click(self, where):
        """Clicks the middle of an element, with a mouse."""
        x, y = await self.until(
            f"(() => {{ const element = document.querySelector({json.dumps(where)});"
            " if (!element?.checkVisibility()) return null; element.scrollIntoView({block: 'nearest'});"
            " const box = element.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ["mousePressed", "mouseReleased"]:
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def key(self, name, control=False, alt=False, shift=False):
        modifiers = alt * 1 + control * 2 + shift * 8
        code = KEYS.get(name) or ord(name.upper())
        event = {"key": name, "code": name if len(name) > 1 else f"Key{name.upper()}", "windowsVirtualKeyCode": code}
        if len(name) == 1 and not control and not alt:
            event["text"] = name
        elif name == "Enter":
            event["text"] = "\r"
        await self.call("Input.dispatchKeyEvent", type="keyDown", modifiers=modifiers, **event)
        event.pop("text", None)
        await self.call("Input.dispatchKeyEvent", type="keyUp", modifiers=modifiers, **event)

    async def type(self, text):
        for character in text:
            await self.key("Enter" if character == "\n" else character)

    async def paste(self, text):
        """Dispatches what the browser's own paste command does; the clipboard of a headless browser is empty."""
        await self.run(
            "(() => { const data = new DataTransfer(); data.setData('text/plain', %s);"
            " document.activeElement.dispatchEvent(new ClipboardEvent('paste',"
            " { clipboardData: data, bubbles: true, cancelable: true })); })()" % json.dumps(text)
        )

    async def screenshot(self, path):
        shot = await self.call("Page.captureScreenshot", format="png")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
