// Serves the test build and opens it in Chromium.
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

// Another folder may be named, so that two runs do not build into each other.
const folder = process.env.SONDE_TEST_BUILD ?? fileURLToPath(new URL("../../dist-test", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".map": "application/json" };

const nonce = "nonce-of-the-tests";

// The policy of the packaged app, so that what it forbids fails here too. Its host puts a nonce on
// the page's own elements; styles that are made at run time carry it on.
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "connect-src 'self'",
].join("; ");

export async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy,
    });
    if (extname(file) === ".html") {
      response.end(readFileSync(file, "utf8").replaceAll("<style>", `<style nonce="${nonce}">`));
    } else {
      createReadStream(file).pipe(response);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

export function launch() {
  const executablePath =
    process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
  if (!executablePath) throw new Error("no Chromium found; name one with the variable CHROMIUM");
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}
