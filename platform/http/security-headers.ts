/** The security headers of responses: those for data on every response, and those of helmet on pages. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** For responses that are data, also malformed requests: a browser that opens one as a page runs nothing (OWASP REST Security Cheat Sheet). */
export const dataHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

function helmetHeaders(): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet()(request, response, () => undefined);
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** Only style sheets, scripts, images and requests of this server. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of an HTML page, lower-case names. A page with other needs replaces the content security policy. */
export const pageHeaders: Readonly<Record<string, string>> = { ...helmetHeaders(), 'content-security-policy': pagePolicy };
