/** Malformed HTTP and request smuggling over raw sockets: one error response at most, with the headers of every response, and no second request. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { codeOf, exchange, expectHarmless } from './attack.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const get = (...headers: string[]): string =>
  lines('GET /api/v1/plans HTTP/1.1', 'host: localhost', 'connection: close', ...headers);
const post = (...headers: string[]): string =>
  lines('POST /graphql HTTP/1.1', 'host: localhost', 'connection: close', 'content-type: application/json', ...headers);
/** A request that must not run: it would list the administrators. */
const hidden = 'GET /admin/session HTTP/1.1\r\nhost: localhost\r\n\r\n';

type RawAttack = readonly [name: string, bytes: string | Uint8Array, status: number, code: string | null];

const malformed: RawAttack[] = [
  ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'parameter_invalid'],
  [
    'TLS',
    Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0d, 0x0a, 0x0d, 0x0a),
    400,
    'parameter_invalid',
  ],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'parameter_invalid'],
  ['HTTP/0.9', 'GET /\r\n\r\n', 400, 'parameter_invalid'],
  ['HTTP/9.9', lines('GET / HTTP/9.9', 'host: localhost'), 400, 'parameter_invalid'],
  ['an unknown method', lines('HACK / HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['a method in lower case', lines('get / HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['a space in the URL', lines('GET /a b HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['a tab in the URL', lines('GET /a\tb HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['NUL in the URL', lines('GET /a\0b HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['letters beyond ASCII in the URL', lines('GET /é HTTP/1.1', 'host: localhost'), 400, 'parameter_invalid'],
  ['no host', lines('GET /api/v1/plans HTTP/1.1', 'connection: close'), 400, 'parameter_invalid'],
  ['two hosts', get('Host: other'), 400, 'parameter_invalid'],
  ['a host with markup', lines('GET /nowhere HTTP/1.1', 'host: "><script>', 'connection: close'), 404, 'not_found'],
  ['a header without a name', get(': x'), 400, 'parameter_invalid'],
  ['a header without a colon', get('x'), 400, 'parameter_invalid'],
  ['a space before the colon', get('x : y'), 400, 'parameter_invalid'],
  ['a folded header', get('x: a', ' b: c'), 400, 'parameter_invalid'],
  ['NUL in a header', get('x: a\0b'), 400, 'parameter_invalid'],
  ['a bare carriage return in a header', get('x: a\rb: c'), 400, 'parameter_invalid'],
  ['3,000 headers', get(...Array.from({ length: 3_000 }, (_, index) => `x${index}: y`)), 431, 'headers_too_large'],
  ['a header of 20 kB', get(`x: ${'y'.repeat(20_000)}`), 431, 'headers_too_large'],
  ['a header name of 20 kB', get(`${'x'.repeat(20_000)}: y`), 431, 'headers_too_large'],
  ['a URL of 20 kB', lines(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'host: localhost'), 414, 'uri_too_long'],
  [
    'the target *',
    lines('GET * HTTP/1.1', 'host: localhost', 'connection: close', 'accept: text/html'),
    400,
    'parameter_invalid',
  ],
  [
    'POST of the target *',
    lines('POST * HTTP/1.1', 'host: localhost', 'connection: close', 'content-length: 0'),
    400,
    'parameter_invalid',
  ],
  ['the target * of OPTIONS', lines('OPTIONS * HTTP/1.1', 'host: localhost', 'connection: close'), 400, 'parameter_invalid'],
  [
    'an absolute target',
    lines('GET http://evil.example/admin HTTP/1.1', 'host: localhost', 'connection: close'),
    400,
    'parameter_invalid',
  ],
  [
    'a target of a file',
    lines('GET file:///etc/passwd HTTP/1.1', 'host: localhost', 'connection: close'),
    400,
    'parameter_invalid',
  ],
];
describe('malformed:', () => {
  test.each(malformed)('%s', async (_, bytes, status, code) => {
    const [response, ...others] = await exchange(platform.restUrl, bytes);
    if (response === undefined) throw new Error('no response');
    expect({ status: response.status, code: codeOf(response), others }).toEqual({ status, code, others: [] });
    expectHarmless(response);
    expect(response.text.replace(/"instance":"[^"]*"/, '')).not.toMatch(/<script>|evil\.example/);
  });
});

test('a tunnel is closed without a response', async () => {
  const target = 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: localhost\r\n\r\n';
  expect(await exchange(platform.restUrl, target)).toEqual([]);
});

test('an absolute target of the requested host is served', async () => {
  const target = 'GET http://LOCALHOST/api/v1/plans HTTP/1.1';
  expect(await exchange(platform.restUrl, lines(target, 'host: localhost', 'connection: close'))).toMatchObject([
    { status: 200 },
  ]);
});

const smuggled: RawAttack[] = [
  [
    'CL.TE',
    post(`content-length: ${hidden.length + 5}`, 'transfer-encoding: chunked') + `0\r\n\r\n${hidden}`,
    400,
    'parameter_invalid',
  ],
  ['TE.CL', post('transfer-encoding: chunked', 'content-length: 4') + `5c\r\n${hidden}\r\n0\r\n\r\n`, 400, 'parameter_invalid'],
  ['two lengths', post('content-length: 0', `content-length: ${hidden.length}`) + hidden, 400, 'parameter_invalid'],
  ['a list of lengths', post(`content-length: 0, ${hidden.length}`) + hidden, 400, 'parameter_invalid'],
  ['a signed length', post('content-length: +2') + '{}', 400, 'parameter_invalid'],
  ['a negative length', post('content-length: -1') + hidden, 400, 'parameter_invalid'],
  ['a hexadecimal length', post('content-length: 0x2') + '{}', 400, 'parameter_invalid'],
  ['a huge length', post('content-length: 99999999999999999999') + '{}', 400, 'parameter_invalid'],
  ['chunked with a vertical tab', post('transfer-encoding: \vchunked') + `0\r\n\r\n${hidden}`, 400, 'parameter_invalid'],
  [
    'chunked twice',
    post('transfer-encoding: chunked', 'transfer-encoding: identity') + `0\r\n\r\n${hidden}`,
    400,
    'parameter_invalid',
  ],
  ['an unknown encoding', post('transfer-encoding: xchunked') + hidden, 400, 'parameter_invalid'],
  ['chunked before another encoding', post('transfer-encoding: chunked, gzip') + `0\r\n\r\n${hidden}`, 400, 'parameter_invalid'],
  [
    'a space before the colon of the encoding',
    post('transfer-encoding : chunked') + `0\r\n\r\n${hidden}`,
    400,
    'parameter_invalid',
  ],
  ['an invalid chunk size', post('transfer-encoding: chunked') + `zz\r\n{}\r\n0\r\n\r\n${hidden}`, 400, 'parameter_invalid'],
  [
    'an overflowing chunk size',
    post('transfer-encoding: chunked') + `ffffffffffffffffff\r\n{}\r\n0\r\n\r\n${hidden}`,
    400,
    'parameter_invalid',
  ],
  [
    'a chunk longer than its size',
    post('transfer-encoding: chunked') + `1\r\n{}\r\n0\r\n\r\n${hidden}`,
    400,
    'parameter_invalid',
  ],
  ['bare line feeds', `POST /graphql HTTP/1.1\nhost: localhost\ncontent-length: 0\n\n${hidden}`, 400, 'parameter_invalid'],
];
describe('smuggled:', () => {
  test.each(smuggled)('%s', async (_, bytes, status, code) => {
    const responses = await exchange(platform.restUrl, bytes);
    const [response] = responses;
    if (response === undefined) throw new Error('no response');
    expect({ status: response.status, code: codeOf(response) }).toEqual({ status, code });
    expectHarmless(response);
    // the connection is closed, so the hidden request has no response
    expect(responses.map(({ text }) => text).join('')).not.toContain('SIGNED_OUT');
  });
});
