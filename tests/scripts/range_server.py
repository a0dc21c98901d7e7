# SPDX-License-Identifier: BSD-3-Clause
"""Serves the current folder on a free port of this machine, byte ranges included; writes the port and each requested range."""
import http.server
import os
import re
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        path = self.translate_path(self.path)
        begin = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if begin is None or not os.path.isfile(path):
            super().do_GET()
            return
        with open(path, "rb") as file:
            content = file.read()
        offset = int(begin[1])
        print("range from", offset, flush=True)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {offset}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - offset))
        self.end_headers()
        self.wfile.write(content[offset:])


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("port", server.server_address[1], flush=True)
server.serve_forever()
