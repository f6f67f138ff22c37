"""Small .xls files, made for tests."""

import struct


def workbook(rows) -> bytes:
    """A worksheet of Excel 2: begin of file, a record for each cell, end of file."""

    def record(kind, body):
        return struct.pack("<HH", kind, len(body)) + body

    cells = b""
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            place = struct.pack("<HH3x", i, j)
            if isinstance(cell, str):
                cells += record(0x04, place + bytes([len(cell)]) + cell.encode())
            else:
                cells += record(0x03, place + struct.pack("<d", cell))
    return record(0x09, struct.pack("<HH", 2, 0x10)) + cells + record(0x0A, b"")
