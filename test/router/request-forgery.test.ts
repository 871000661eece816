/** Which origins may send requests below /admin and /portal. */
import { describe, expect, test } from '@jest/globals';
import { rejectForgery } from '../../router/administration/request-forgery.ts';

const host = 'portal.example.com';
const headers = { 'content-type': 'application/json' };
const rejects = (origin: string, publicUrl: string | null): boolean => {
  try {
    rejectForgery({ method: 'POST', host, headers: { ...headers, origin } }, publicUrl);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'csrf_refused' });
    return true;
  }
};

describe('with a public URL', () => {
  test.each([
    'https://portal.example.com',
    'https://portal.example.com/',
    'https://PORTAL.example.com:443',
    'https://portal.example.com/base/',
  ])('%s, the origin of it is accepted', (publicUrl) => {
    expect(rejects('https://portal.example.com', publicUrl)).toBe(false);
  });

  test.each([
    'http://portal.example.com',
    'ftp://portal.example.com',
    'https://x@portal.example.com',
    'https://portal.example.com/',
    'https://portal.example.com:443',
    'https://portal.example.com:8443',
    'https://example.com',
    'null',
    '',
  ])('the origin %s is rejected', (origin) => {
    expect(rejects(origin, 'https://portal.example.com')).toBe(true);
  });

  test('the host of the request is not an origin', () => {
    expect(rejects('https://portal.example.com', 'https://example.com')).toBe(true);
    expect(rejects('https://example.com', 'https://example.com')).toBe(false);
    expect(rejects('http://example.com:4000', 'http://example.com:4000')).toBe(false);
  });

  test('the error names the origin to use', () => {
    const request = { method: 'POST', host, headers: { ...headers, origin: 'http://portal.example.com' } };
    expect(() => rejectForgery(request, 'https://portal.example.com/')).toThrow('Use https://portal.example.com.');
  });

  test('a request without an origin is accepted', () => {
    expect(() => rejectForgery({ method: 'POST', host, headers }, 'https://portal.example.com')).not.toThrow();
  });
});

test.each([
  ['http://portal.example.com', false],
  ['https://portal.example.com', false],
  ['https://portal.example.com:8443', true],
  ['https://example.com', true],
  ['null', true],
])('without a public URL the host of the origin is compared with that of the request: %s', (origin, isRejected) => {
  expect(rejects(origin, null)).toBe(isRejected);
});
