/** Oversized, nested, poisoned and mislabeled bodies: prototype pollution, content-type confusion, unicode. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countRows } from '../rows.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, type Attack, type AttackRequest } from './attack.ts';

let platform: TestPlatform;
let key: string;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform();
  ({ key } = await platform.account({ account: 'Bodies' }));
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

const club = { type: 'CLUB', name: 'Attack FC', country: 'DE', sports: ['FOOTBALL'] };
const path = '/api/v1/organizations';
const json = { 'content-type': 'application/json' };
const text = (body: string | Uint8Array, headers: Record<string, string> = json): AttackRequest => ({ path, body, headers });
const named = (name: string): AttackRequest => ({ path, body: { ...club, name } });
const as = (type: string, body = JSON.stringify(club)): AttackRequest => text(body, { 'content-type': type });

async function run(request: AttackRequest, status: number, code: string | null): Promise<void> {
  await attack(platform, { ...request, headers: { 'x-api-key': key, ...request.headers } }, status, code);
  // what pollutes a prototype is visible on every object
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

const sizes: Attack[] = [
  ['2 MiB of spaces', text(' '.repeat(2 * 1024 * 1024)), 413, 'payload_too_large'],
  ['a text of 2 MiB', text(JSON.stringify({ ...club, name: 'x'.repeat(2 * 1024 * 1024) })), 413, 'payload_too_large'],
  ['a text of 900 kB', text(JSON.stringify({ ...club, name: 'x'.repeat(900_000) })), 413, 'payload_too_large'],
  [
    '100,000 sports',
    text(JSON.stringify({ ...club, sports: Array.from({ length: 100_000 }, () => 'FOOTBALL') })),
    413,
    'payload_too_large',
  ],
  [
    '100,000 unknown members',
    text(`{${Array.from({ length: 100_000 }, (_, i) => `"a${i}":1`).join(',')}}`),
    413,
    'payload_too_large',
  ],
  ['a key of 100 kB', text(`{"${'k'.repeat(100_000)}":1}`), 422, 'validation_failed'],
  ['100,000 arrays', text(`${'['.repeat(100_000)}`), 413, 'payload_too_large'],
  ['100,000 objects', text(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 413, 'payload_too_large'],
  ['1,000 arrays', text('['.repeat(1_000)), 400, 'malformed_json'],
  ['1,000 objects', text(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`), 400, 'malformed_json'],
  [
    '1,000 sports',
    { path, body: { ...club, sports: Array.from({ length: 1_000 }, () => 'FOOTBALL') } },
    422,
    'validation_failed',
  ],
  ['500 unknown members', text(`{${Array.from({ length: 500 }, (_, i) => `"a${i}":1`).join(',')}}`), 422, 'validation_failed'],
  [
    '100 levels in a member',
    text(JSON.stringify(club).replace('"DE"', `${'['.repeat(100)}${']'.repeat(100)}`)),
    400,
    'malformed_json',
  ],
  ['a number of 100,000 digits', text(`{"foundedYear": ${'9'.repeat(100_000)}}`), 422, 'validation_failed'],
  ['a number out of range', text(JSON.stringify(club).replace('}', ',"foundedYear":1e400}')), 422, 'validation_failed'],
  ['501 items', { path: `${path}/batch`, body: { items: Array.from({ length: 501 }, () => club) } }, 422, 'validation_failed'],
  ['a batch of 9 MiB', { path: `${path}/batch`, body: ' '.repeat(9 * 1024 * 1024), headers: json }, 413, 'payload_too_large'],
  ['a body of a read', { path, method: 'GET', body: '{"a":1}', headers: json }, 200, null],
];
test.each(sizes)('%s', (_, request, status, code) => run(request, status, code));

const prototypes: Attack[] = [
  ['__proto__', text('{"__proto__":{"polluted":1}}'), 400, 'malformed_json'],
  ['__proto__ with an escape', text('{"__pro\\u0074o__":{"polluted":1}}'), 400, 'malformed_json'],
  ['__proto__ in a member', text('{"type":"CLUB","contact":{"__proto__":{"polluted":1}}}'), 400, 'malformed_json'],
  ['__proto__ in an item', text('{"facilities":[{"__proto__":{"polluted":1}}]}'), 400, 'malformed_json'],
  ['constructor.prototype', text('{"constructor":{"prototype":{"polluted":1}}}'), 422, 'validation_failed'],
  ['prototype', { path, body: { ...club, prototype: { polluted: 1 } } }, 422, 'validation_failed'],
  ['toString', { path, body: { ...club, toString: 'x' } }, 422, 'validation_failed'],
  ['hasOwnProperty', { path, body: { ...club, hasOwnProperty: 1 } }, 422, 'validation_failed'],
  ['toJSON', { path, body: { ...club, toJSON: 'x' } }, 422, 'validation_failed'],
  ['then', { path, body: { ...club, then: 'x' } }, 422, 'validation_failed'],
  [
    'the owner of the resource',
    { path, body: { ...club, accountId: '00000000-0000-4000-8000-000000000000' } },
    422,
    'validation_failed',
  ],
  ['the id of the resource', { path, body: { ...club, id: '00000000-0000-4000-8000-000000000000' } }, 422, 'validation_failed'],
  ['the version of the resource', { path, body: { ...club, version: 99 } }, 422, 'validation_failed'],
  ['the verification of the resource', { path, body: { ...club, verification: 'VERIFIED' } }, 422, 'validation_failed'],
  ['a repeated member', text('{"type":"CLUB","type":"UNIVERSITY"}'), 400, 'malformed_json'],
];
describe('a body with', () => {
  test.each(prototypes)('%s', (_, request, status, code) => run(request, status, code));
});

const types: Attack[] = [
  ['no type', { path, method: 'POST', body: new TextEncoder().encode(JSON.stringify(club)) }, 415, 'unsupported_media_type'],
  ['text/plain', as('text/plain'), 415, 'unsupported_media_type'],
  ['a form', as('application/x-www-form-urlencoded', 'type=CLUB'), 415, 'unsupported_media_type'],
  ['a multipart form', as('multipart/form-data; boundary=x', '--x--'), 415, 'unsupported_media_type'],
  ['a multipart form without a boundary', as('multipart/form-data'), 415, 'unsupported_media_type'],
  [
    'XML',
    as('application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    415,
    'unsupported_media_type',
  ],
  ['YAML', as('application/yaml', '!!js/function "x"'), 415, 'unsupported_media_type'],
  ['a pickled object', as('application/octet-stream', '\x80\x04.'), 415, 'unsupported_media_type'],
  ['HTML', as('text/html'), 415, 'unsupported_media_type'],
  ['an invalid type', as('json'), 415, 'unsupported_media_type'],
  ['a long type', as(`application/${'x'.repeat(5_000)}`), 415, 'unsupported_media_type'],
  ['JSON with a comma', as('application/json, text/plain'), 415, 'unsupported_media_type'],
  ['JSON in UTF-16', as('application/json; charset=utf-16'), 415, 'unsupported_media_type'],
  ['JSON in UTF-7', as('application/json; charset=utf-7'), 415, 'unsupported_media_type'],
  ['a gzip bomb', text('\x1f\x8b\x08', { ...json, 'content-encoding': 'gzip' }), 415, 'unsupported_media_type'],
  ['several encodings', text('x', { ...json, 'content-encoding': 'gzip, gzip, gzip' }), 415, 'unsupported_media_type'],
  ['an unknown encoding', text('x', { ...json, 'content-encoding': 'x' }), 415, 'unsupported_media_type'],
];
describe('a body as', () => {
  test.each(types)('%s', (_, request, status, code) => run(request, status, code));
});

const unicode: Attack[] = [
  ['NUL', named('a\0b'), 422, 'validation_failed'],
  ['an unpaired surrogate', text(JSON.stringify(club).replace('Attack FC', '\\ud800')), 422, 'validation_failed'],
  ['a reversed pair', text(JSON.stringify(club).replace('Attack FC', '\\udc00\\ud800')), 422, 'validation_failed'],
  ['invalid UTF-8', text(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), 400, 'malformed_json'],
  ['an overlong slash', text(Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)), 400, 'malformed_json'],
  ['a byte order mark in UTF-16', text(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)), 400, 'malformed_json'],
  ['only invisible characters', named('\u200b\u200c\u2060'), 422, 'validation_failed'],
  ['only spaces', named('\u00a0\u2003 '), 422, 'validation_failed'],
  ['a control character', named('a\u0007b'), 422, 'validation_failed'],
  ['a line separator in a country', { path, body: { ...club, country: 'D\u2028' } }, 422, 'validation_failed'],
  ['a full-width enum', { path, body: { ...club, type: 'ＣＬＵＢ' } }, 422, 'validation_failed'],
  ['a Turkish dotless enum', { path, body: { ...club, sports: ['FOOTBALL'.replace('O', 'О')] } }, 422, 'validation_failed'],
  ['201 characters of four bytes', named('😀'.repeat(201)), 422, 'validation_failed'],
];
describe('a text of', () => {
  test.each(unicode)('%s', (_, request, status, code) => run(request, status, code));
});
