/** The relying party comes from PUBLIC_URL, or from the request at localhost. */
import { expect, test } from '@jest/globals';
import { passkeyOriginOf, relyingPartyOf } from '../../router/administration/relying-party.ts';

const at = (url: string) => ({ protocol: new URL(url).protocol.slice(0, -1) as 'http' | 'https', host: new URL(url).host });

test.each([
  // PUBLIC_URL decides, whatever the host of the request is
  ['http://10.0.0.1:4000', 'https://talent.example', { id: 'talent.example', origin: 'https://talent.example' }],
  ['http://evil.example', 'https://talent.example:8443/', { id: 'talent.example', origin: 'https://talent.example:8443' }],
  ['http://localhost:4000', 'http://localhost:4000', { id: 'localhost', origin: 'http://localhost:4000' }],
  // browsers have no passkeys without TLS, or at an IP address
  ['http://talent.example', 'http://talent.example', null],
  ['https://192.0.2.1', 'https://192.0.2.1', null],
  ['https://[2001:db8::1]', 'https://[2001:db8::1]', null],
  // without PUBLIC_URL only localhost: the caller chooses the host of the request
  ['http://localhost:4040', null, { id: 'localhost', origin: 'http://localhost:4040' }],
  ['https://talent.example', null, null],
  ['http://127.0.0.1:4000', null, null],
  ['http://localhost.example.com', null, null],
])('at %s with PUBLIC_URL %s', (url, publicUrl, expected) => {
  expect(relyingPartyOf(at(url), publicUrl)).toEqual(expected);
});

test.each([
  ['http://127.0.0.1:4000', null, 'http://localhost:4000'],
  ['http://[::1]:4000', null, 'http://localhost:4000'],
  ['http://10.0.0.1:4000', null, null],
  ['http://10.0.0.1:4000', 'https://talent.example', 'https://talent.example'],
  ['http://127.0.0.1:4000', 'https://talent.example', 'https://talent.example'],
])('a page at %s with PUBLIC_URL %s uses passkeys at %s', (url, publicUrl, expected) => {
  expect(passkeyOriginOf(at(url), publicUrl)).toBe(expected);
});
