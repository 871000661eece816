/** Responses to requests that reach no route: malformed, too large or too slow HTTP. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { problemBody, problemHeaders, sendProblem } from './problem.ts';
import { dataHeaders } from './security-headers.ts';

/** Node.js accepts a request line and headers of this size together. */
const headerMaxKib = 16;

/** An error of the HTTP parser, with the bytes it failed on. */
interface ParserError extends Error {
  readonly code?: string | undefined;
  /** A Buffer; Fastify declares another type. */
  readonly rawPacket?: unknown;
}

/** Whether the headers overflowed within the request line. */
function isInRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const end = packet.indexOf('\r\n', 0, 'latin1');
  return (end === -1 || end > (headerMaxKib * 1024) / 2) && /^[A-Z]+ \//.test(packet.toString('latin1', 0, 20));
}

/** The parser accepts ASCII characters in a URL only. */
const unencodedUrl =
  'The URL has characters that are not percent-encoded. Encode it as UTF-8 (RFC 3986): `S%C3%A3o` for `São`, `%20` for a space.';

function problemOfParser({ code, rawPacket }: ParserError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return slowRequest();
  if (code === 'HPE_INVALID_URL') return new Problem('parameter_invalid', unencodedUrl);
  if (code !== 'HPE_HEADER_OVERFLOW') return new Problem('parameter_invalid', 'Invalid HTTP request.');
  return isInRequestLine(rawPacket)
    ? new Problem(
        'uri_too_long',
        `The URL and the headers together must not exceed ${headerMaxKib} KiB. Send long values in a body.`,
      )
    : new Problem('headers_too_large', `The headers must not exceed ${headerMaxKib} KiB.`);
}

export const slowRequest = (): Problem =>
  new Problem('request_timeout', 'The request was not received in time. Send it again on a new connection.');

/** Writes a problem to a connection without a response in progress, and closes the connection. */
export function endWithProblem(socket: Socket, problem: Problem): void {
  const requestId = randomUUID();
  const body = problemBody(problem, { instance: '/', requestId });
  const text = JSON.stringify(body);
  const headers = {
    ...dataHeaders,
    ...problemHeaders(problem),
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${body.status} ${STATUS_CODES[body.status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}

/** Handles an error of the HTTP parser. */
export function rejectMalformed(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy();
  endWithProblem(socket, problemOfParser(error));
}

/** Whether a request target is a path, or an absolute URL of the host that the Host header names (RFC 9112 section 3.2). Others, such as `*`, name no resource. */
function isOwnTarget(target: string, host = ''): boolean {
  if (target.startsWith('/')) return true;
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase() === host.toLowerCase();
}

/** Rejects HTTP/1.1 requests without one Host header, and targets of other hosts (RFC 9112 section 3.2): proxies and servers may read different ones. */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders } = request.raw;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) {
      if (isOwnTarget(request.raw.url ?? '', request.raw.headers.host)) return done();
      sendProblem(reply, new Problem('parameter_invalid', 'The request target must be a path, such as `/api/v1/athletes`.'));
      return;
    }
    const count = hosts === 0 ? 'no' : 'more than one';
    sendProblem(reply, new Problem('parameter_invalid', `The request has ${count} \`Host\` header. Send exactly one.`));
  });
}
