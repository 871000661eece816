/** Serves a page that follows a match. The key stays here: browsers send none, and see nothing but the match. */
// The example is written like a program of a partner, so it reads its environment directly.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { env } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

const help = `Usage: npm run live-scores -- --key KEY [--url http://localhost:4000] [--port 8080]

Serves a page that follows a match: http://localhost:8080/?match=ID. The key needs the scope events:read. It can also be in API_KEY.

Exit codes: 0 help, 2 invalid usage.`;

const files: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'live-scores.js': 'text/javascript; charset=utf-8',
};

/** The address of the platform for an address of this server; null for files. */
function platformPath({ pathname, searchParams }: URL): string | null {
  const match = encodeURIComponent(searchParams.get('match') ?? '');
  if (pathname === '/match') return `/competitions/matches/${match}`;
  if (pathname === '/events') return `/events/stream?resourceId=${match}`;
  return null;
}

/** Passes a response of the platform on until one side ends it. */
async function forward(url: string, apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const last = request.headers['last-event-id'];
  const headers = { 'x-api-key': apiKey, ...(typeof last === 'string' && { 'last-event-id': last }) };
  const { status, headers: received, body } = await fetch(url, { headers, signal: disconnected.signal });
  response.writeHead(status, { 'content-type': received.get('content-type') ?? 'text/plain', 'cache-control': 'no-store' });
  response.flushHeaders();
  if (body !== null) await pipeline(Readable.fromWeb(body), response);
  else response.end();
}

async function sendFile(name: string, response: ServerResponse): Promise<void> {
  const type = files[name];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(await readFile(new URL(name, import.meta.url)));
}

function serve(platform: string, apiKey: string, port: number): void {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = platformPath(url);
    const sent =
      path === null
        ? sendFile(url.pathname.slice(1) || 'index.html', response)
        : forward(`${platform}/api/v1${path}`, apiKey, request, response);
    // the browser connects again when the platform or the client has disconnected
    sent.catch(() => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  });
  server.listen(port, () => {
    const address = server.address();
    console.log(`http://localhost:${typeof address === 'object' && address !== null ? address.port : port}/?match=ID`);
  });
}

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    url: { type: 'string', default: 'http://localhost:4000' },
    port: { type: 'string', default: '8080' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const key = values.key ?? env['API_KEY'] ?? '';
if (values.help || key === '') {
  console.log(help);
  process.exitCode = values.help ? 0 : 2;
} else serve(values.url, key, Number(values.port));
