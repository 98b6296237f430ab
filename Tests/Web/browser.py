"""A browser without a screen, and pages in it that note what they request and what goes wrong in them."""

import time
import urllib.parse

from hands import Hands
from instrument import HOST
from playwright.sync_api import sync_playwright

BROWSER = "/usr/bin/chromium-headless-shell"
# Seconds to wait for what comes at once on a quiet machine: beside a build, and other tests, it may come late.
PATIENCE = 120
SIZES = {"phone": (390, 844), "tablet": (1112, 834), "desktop": (1680, 1050)}


class Browser:
    """The browser, while it is entered."""

    def __enter__(self):
        self.tools = sync_playwright().start()
        self.browser = self.tools.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"])
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.tools.stop()

    def visit(self, instrument, size="tablet"):
        """A new, empty window of a size."""
        return Visit(self, instrument, size)


class Visit:
    """A window: `page` is Playwright's, `hands` touches it. It knows its requests and errors."""

    def __init__(self, browser, instrument, size):
        width, height = SIZES[size]
        self.browser, self.instrument = browser, instrument
        self.context = browser.browser.new_context(viewport={"width": width, "height": height}, has_touch=True,
                                           reduced_motion="reduce", accept_downloads=True)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.requests, self.frames, self.errors, self.expects_loss = [], [], [], False
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("response", self._look)
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error.message}"))
        self.page.on("console", self._note)
        self.devtools = self.context.new_cdp_session(self.page)
        self.hands = Hands(self.page, self.devtools)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def go(self, path="/"):
        """Opens a path of the instrument, and waits until the page is made."""
        self.page.goto(f"http://{HOST}:{self.instrument.port}{path}")
        self.page.wait_for_selector("#main")

    def _look(self, response):
        if response.status >= 400:
            self.errors.append(f"{response.status} for {response.url}")

    def _listen(self, socket):
        self.requests.append(socket.url)
        socket.on("framereceived", lambda data: self.frames.append(data))

    def _note(self, message):
        # While the instrument is away, the browser reports each request that fails; answers are looked at above.
        is_loss = self.expects_loss and "net::ERR" in message.text
        if message.type == "error" and not is_loss and "Failed to load resource" not in message.text:
            self.errors.append(f"console: {message.text}")

    def beside(self, instrument):
        """A window of the same browser with another instrument."""
        return self.browser.visit(instrument)

    @property
    def strangers(self):
        """Requests to anything but the instrument."""
        home = f"{HOST}:{self.instrument.port}"
        return [url for url in self.requests
                if urllib.parse.urlsplit(url).scheme not in ("data", "blob") and urllib.parse.urlsplit(url).netloc != home]

    def until(self, holds, what, seconds=PATIENCE):
        """Waits until `holds()` is true, and returns what it returned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            self.page.wait_for_timeout(50)
        raise AssertionError(what() if callable(what) else what)

    def until_says(self, words):
        """Waits until the page shows some words."""
        self.page.get_by_text(words).first.wait_for()

    def settle(self):
        """Waits until the page has sent all that a gesture has set, has been answered, and has drawn it. It sends what is
        set with the next frame, and its messages are answered in sequence."""
        self.until(lambda: self.page.evaluate("""async () => {
            const { app } = await import("/app/app.js")
            const frame = () => new Promise(requestAnimationFrame)
            await frame()
            await frame()
            const isAnswered = await app.questions.ask("/status/process").then(() => true, () => false)
            await frame()
            await frame()
            return isAnswered
        }"""), "the page is not answered")

    def steps(self):
        """The steps that Ctrl Z would take back, in words, the newest first."""
        return self.page.evaluate("""async () => {
            const { app } = await import("/app/app.js")
            return app.history.steps.filter(step => !step.by).map(step => step.words)
        }""")
