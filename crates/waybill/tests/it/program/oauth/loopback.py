"""An app on this machine that waits for the browser of its user."""

import http.server
import json
import queue
import threading

PAGE = b"<!DOCTYPE html><title>App</title><h1>Welcome back</h1>"


class Loopback:
    def __init__(self):
        came = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(PAGE)))
                self.end_headers()
                self.wfile.write(PAGE)
                if self.path.startswith("/cb?"):
                    came.put(self.path)

            def log_message(self, *_):
                pass

        # A browser opens lines before it has something to say on them.
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.came = came
        self.origin = f"http://127.0.0.1:{server.server_port}"
        self.address = f"{self.origin}/cb"

    def lead_there(self, url):
        """Sends the user to this page, and tells the address that the browser came back to."""
        print(json.dumps({"open": url}), flush=True)
        return self.origin + self.came.get(timeout=120)
