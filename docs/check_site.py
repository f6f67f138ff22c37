"""Walk the built site: every internal link has a page and an anchor, and no page loads anything from elsewhere."""

import sys
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


def faults(site):
    """Yield one line per broken link and per file that comes from elsewhere."""
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }
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


def main(site):
    found = list(faults(Path(site).resolve()))
    print(
        "\n".join(found)
        or f"{site}/index.html is ready: every internal link has its page, nothing comes from elsewhere"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
