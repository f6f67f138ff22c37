"""Fetch from mirrors, repository and upstream: only registered bytes are kept; the error lists every source."""

import dataclasses
import hashlib
import io
import json
import lzma
import socket
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from rankbench.datasets.build import build_table
from rankbench.datasets.fetch import FetchError, absolute, fetch, mirrors_from, whole
from rankbench.records.files import Damaged

CSV = b"a,k,y\n1,lo,2\n2,hi,3\n3,hi,4\n"
OTHER = CSV.replace(b"4", b"5")


class Server(ThreadingHTTPServer):
    """Answers on the loopback; `answers` maps a path to functions that write one answer each, the last one repeated."""

    daemon_threads = True

    def __init__(self):
        self.answers, self.asked = {}, []
        super().__init__(("127.0.0.1", 0), Handler)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def handle_error(self, request, client_address):
        """Ignore a client that hangs up: some of these tests cause it."""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        answers = self.server.answers.get(self.path, [status(404)])
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def log_message(self, *args):
        pass


def body(content: bytes, length: int | None = None):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content) if length is None else length))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def status(code: int, **headers):
    def answer(handler):
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def silent(handler):
    time.sleep(2)


def hangs_up(handler):
    handler.connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _little_waiting_and_no_proxy(monkeypatch):
    for name, value in {"TIMEOUT": 0.5, "RETRIES": 1}.items():
        monkeypatch.setattr(f"rankbench.datasets.fetch.{name}", value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))


@pytest.fixture
def row(make_row):
    """The toy set; the bytes of CSV and the values in them are registered."""
    plain = make_row(sha256=(hashlib.sha256(CSV).hexdigest(),))

    def make(**changes):
        return make_row(**{"sha256": plain.sha256, **changes})

    return make


def kept(folder: Path) -> dict:
    """Names and contents of the files in `folder`; its parent must hold nothing else that a fetch left."""
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(row, mirrors, tmp_path):
    return fetch(row, mirrors, tmp_path / "raw" / row.name)


def folder_mirror(tmp_path, content: bytes, name="mirror") -> str:
    path = tmp_path / name / "toy" / "toy.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return str(tmp_path / name)


def test_the_first_good_mirror_is_taken_and_nothing_downloaded(server, tmp_path, row):
    mirrors = [str(tmp_path / "absent"), folder_mirror(tmp_path, OTHER, "wrong"), folder_mirror(tmp_path, CSV) + "/"]
    source = run(row(urls=(server.url("/toy.csv"),)), mirrors, tmp_path)
    assert [*source] == [f"{tmp_path}/mirror/toy/toy.csv"]
    files = kept(tmp_path / "raw" / "toy")
    assert files["toy.csv"] == CSV
    assert json.loads(files["source.json"])["places"] == [*source]
    assert server.asked == []


@pytest.mark.parametrize("name", ["files/toy.csv", "source.json"])
@pytest.mark.parametrize(
    "harm", [lambda content: b"", lambda content: content.replace(b"l", b"1"), lambda content: None]
)
def test_what_was_fetched_is_known_when_it_is_damaged(tmp_path, row, name, harm):
    run(row(), [folder_mirror(tmp_path, CSV)], tmp_path)
    file = tmp_path / "raw/toy" / name
    assert len(build_table(tmp_path / "raw/toy", row()).y) == 3
    content = harm(file.read_bytes())
    file.unlink()
    if content is not None or name == "source.json":
        file.write_bytes(b"[]" if content is None else content)
    with pytest.raises(Damaged, match=f"{file}: damaged \\("):
        build_table(tmp_path / "raw/toy", row())
    run(row(), [str(tmp_path / "mirror")], tmp_path)
    assert len(build_table(tmp_path / "raw/toy", row()).y) == 3


def test_a_mirror_can_be_an_address(server, tmp_path, row):
    server.answers["/sets/toy/toy.csv"] = [body(CSV)]
    assert run(row(), [server.url("/sets/")], tmp_path).keys() == {server.url("/sets/toy/toy.csv")}


@pytest.mark.parametrize("first", [status(503), hangs_up, silent, body(CSV[:9], length=len(CSV))])
def test_a_passing_fault_is_tried_again(server, tmp_path, row, first):
    server.answers["/toy.csv"] = [first, body(CSV)]
    run(row(urls=(server.url("/toy.csv"),)), [], tmp_path)
    assert server.asked == ["/toy.csv"] * 2
    assert kept(tmp_path / "raw" / "toy")["toy.csv"] == CSV


@pytest.mark.parametrize(
    ("answer", "reason", "times"),
    [
        (status(404), "404 Client Error: Not Found", 2),
        (status(500), "500 Server Error", 2),
        (status(302, Location="/toy.csv"), "Exceeded 30 redirects", 62),
        (hangs_up, "Remote end closed connection", 2),
        (silent, "timed out", 2),
        (body(CSV[:9], length=len(CSV)), "IncompleteRead", 2),
        (body(CSV[:-2]), r"expected sha256 [0-9a-f]{64}, got [0-9a-f]{64} \(25 bytes", 1),
        (body(b"<!DOCTYPE html><title>Moved</title>"), "begin with b'<!DOCTYPE html><title>Moved", 1),
        (body(b""), r"\(0 bytes", 1),
    ],
)
def test_a_fault_that_stays_is_told_and_nothing_kept(server, tmp_path, row, answer, reason, times):
    server.answers["/toy.csv"] = [answer]
    with pytest.raises(FetchError, match=reason) as error:
        run(row(urls=(server.url("/toy.csv"),)), [], tmp_path)
    assert f"  {server.url('/toy.csv')}: " in str(error.value)
    assert len(server.asked) == times
    assert kept(tmp_path / "raw" / "toy") == {}


def test_wrong_bytes_never_replace_good_ones(tmp_path, row):
    run(row(), [folder_mirror(tmp_path, CSV)], tmp_path)
    before = kept(tmp_path / "raw" / "toy")
    for content in (OTHER, b"1," * 10_000):
        with pytest.raises(FetchError):
            run(row(), [folder_mirror(tmp_path, content, f"wrong{len(content)}")], tmp_path)
    assert kept(tmp_path / "raw" / "toy") == before


def packed_mirror(tmp_path, content: bytes, name="repository") -> str:
    """A folder that holds toy.csv.xz with exactly these bytes."""
    folder_mirror(tmp_path, content, name)
    (tmp_path / name / "toy/toy.csv").rename(tmp_path / name / "toy/toy.csv.xz")
    return str(tmp_path / name)


def test_mirrors_come_before_the_repository_and_that_before_upstream(server, tmp_path, row, monkeypatch):
    """A source is asked if those before it do not have the bytes; upstream is never asked."""
    server.answers["/toy.csv"] = [body(CSV)]
    repository = packed_mirror(tmp_path, lzma.compress(CSV))
    monkeypatch.setattr("rankbench.datasets.fetch.DATA", Path(repository))
    toy = row(urls=(server.url("/toy.csv"),))
    wrong, right = folder_mirror(tmp_path, OTHER, "wrong"), folder_mirror(tmp_path, CSV)
    Path(right, "toy/toy.csv.xz").write_bytes(b"of a folder with both the plain file is taken")
    for mirrors, taken in ([wrong, right], f"{right}/toy/toy.csv"), ([wrong], f"{repository}/toy/toy.csv.xz"):
        source = run(toy, mirrors_from(mirrors, {}), tmp_path)
        assert source == {taken: toy.sha256[0]}
        assert kept(tmp_path / "raw" / "toy")["toy.csv"] == CSV
    assert server.asked == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (lzma.compress(CSV)[:-20], "Compressed data ended before the end-of-stream marker"),
        (lzma.compress(CSV)[:40] + b"\0" * 8 + lzma.compress(CSV)[48:], "Corrupt input data"),
        (CSV, "Input format not supported"),
        (b"", "Compressed data ended before the end-of-stream marker"),
    ],
)
def test_a_damaged_file_of_the_repository_is_told_and_upstream_asked(server, tmp_path, row, content, reason):
    mirror = packed_mirror(tmp_path, content)
    with pytest.raises(FetchError, match=rf"  {mirror}/toy/toy\.csv\.xz: .*{reason}"):
        run(row(), [mirror], tmp_path)
    assert kept(tmp_path / "raw" / "toy") == {}
    server.answers["/toy.csv"] = [body(CSV)]
    url = server.url("/toy.csv")
    assert run(row(urls=(url,)), [mirror], tmp_path).keys() == {url}


PARTS = {"a.csv": b"a,k,y\n1,lo,2\n2,hi,3\n", "b.csv": b"a,k,y\n3,hi,4\n"}


@pytest.fixture
def parts(make_row):
    """A set of two files, of which the bytes are registered."""
    digests = tuple(hashlib.sha256(content).hexdigest() for content in PARTS.values())
    return make_row(file=("toy/a.csv", "more/b.csv"), sha256=digests, urls=())


def test_several_files_come_from_one_source(server, tmp_path, parts):
    """A mirror with only one of the two files is no source; the names are appended to the URL of a folder."""
    folder_mirror(tmp_path, PARTS["a.csv"])
    (tmp_path / "mirror/toy/toy.csv").rename(tmp_path / "mirror/toy/a.csv")
    for name, content in PARTS.items():
        server.answers[f"/set/{name}"] = [body(content)]
    row = dataclasses.replace(parts, urls=(server.url("/set/"),))
    source = run(row, [str(tmp_path / "mirror")], tmp_path)
    assert [*source] == [server.url("/set/a.csv"), server.url("/set/b.csv")]
    files = kept(tmp_path / "raw" / "toy")
    assert {name: files[name] for name in PARTS} == PARTS
    with pytest.raises(
        FetchError, match=r"mirror/more/b\.csv: .*No such file.*\n.*put into a folder toy/a\.csv, more/b\.csv"
    ):
        run(parts, [str(tmp_path / "mirror")], tmp_path)


def zipped(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return body(packed.getvalue())


def test_a_url_of_an_archive_gives_each_of_several_files(server, tmp_path, parts):
    """Wherever it lies in the archive, it is written to its own place."""
    named = {"set/a.csv": PARTS["a.csv"], "../../b.csv": PARTS["b.csv"]}
    server.answers["/set.zip"] = [zipped(**named)]
    row = dataclasses.replace(parts, urls=(server.url("/set.zip"),))
    assert [*run(row, [], tmp_path)] == [server.url("/set.zip!a.csv"), server.url("/set.zip!b.csv")]
    files = kept(tmp_path / "raw" / "toy")
    assert {name: content for name, content in files.items() if name != "source.json"} == PARTS
    for answer, told in (body(b"PK no archive"), "not a zip file"), (zipped(**named, **{"a.csv": b""}), "expected one"):
        server.answers["/set.zip"] = [answer]
        with pytest.raises(FetchError, match=rf"set\.zip!a\.csv: .*{told}"):
            run(row, [], tmp_path)


def test_mirrors_of_a_run_in_another_folder_are_whole_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {"RANKBENCH_MIRROR": "raw; https://example.org/data ;/abroad"}
    assert absolute(given) == {"RANKBENCH_MIRROR": f"{tmp_path}/raw;https://example.org/data;/abroad"}
    assert absolute({}) == {} and whole("raw", "/checkout") == "/checkout/raw"
