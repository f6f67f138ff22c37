"""Walk the built site: every internal link has a page and an anchor, no page loads anything from elsewhere, and on a
telephone no text is beyond the edge, which a browser is asked for if there is one."""

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links, the loaded files and the anchors of one page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        address = attributes.get(LOADED.get(tag, ""))
        if address and attributes.get("rel") not in ("canonical", "author"):
            self.loaded.append(address)


def pages_of(site):
    """Return the paths of the pages."""
    return [path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts]


def faults(site):
    """Yield one line per broken link and per file that comes from elsewhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in pages_of(site)}
    for path, page in pages.items():
        told = path.relative_to(site)
        for address in page.loaded:
            if urlsplit(address).scheme in ("http", "https") or address.startswith("//"):
                yield f"{told}: loads {address} from elsewhere"
        for address in page.links + page.loaded:
            if urlsplit(address).scheme or address.startswith("//"):
                continue
            file, anchor = urldefrag(address)
            target = (path.parent / unquote(file.split("?")[0])).resolve() if file else path
            if not target.exists():
                yield f"{told}: {address} does not exist"
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                yield f"{told}: {address} has no such anchor"


def too_wide(site, browser):
    """Yield one line per page with text beyond the edge of a telephone, outside what can be scrolled."""
    pages = [path.as_uri() for path in pages_of(site)]
    walk = Path(__file__).with_name("telephone.html").read_text(encoding="utf-8").replace("PAGES", json.dumps(pages))
    options = ["--headless", "--no-sandbox", "--allow-file-access-from-files", "--window-size=800,2200", "--dump-dom"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "walk.html")
        file.write_text(walk, encoding="utf-8")
        limits = ["--virtual-time-budget=1000000", f"--user-data-dir={folder}/user"]
        command = [browser, *options, *limits, file.as_uri()]
        dom = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
    told = re.search(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)
    if not told or not told[1].startswith("finished"):
        yield f"the width of the pages is not known: {browser} did not finish"
    else:
        yield from html.unescape(told[1]).replace(f"{site.as_uri()}/", "").splitlines()[1:]


def main(site):
    root, browser = Path(site).resolve(), shutil.which("chromium") or shutil.which("chromium-browser")
    found = [*faults(root), *(too_wide(root, browser) if browser else ())]
    width = "no text is beyond the edge of a telephone" if browser else "widths were not looked at (no chromium)"
    ready = "is ready: every internal link has its page, nothing comes from elsewhere"
    print("\n".join(found) or f"{site}/index.html {ready}, {width}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
