/** Which URLs of users the platform may call, and which addresses are public. */
import { describe, expect, test } from '@jest/globals';
import { outgoingUrlIssue } from '../../platform/http/outgoing-client.ts';
import { isPublicAddress } from '../../platform/http/public-address.ts';

const production = { allowLocal: false };
const development = { allowLocal: true };

describe('a URL of a user', () => {
  test.each([
    'https://example.com/webhooks',
    'https://example.com:443/webhooks?team=1',
    'https://hooks.example.com:8443/',
    'https://93.184.215.14/webhooks',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://bücher.example/',
  ])('is allowed: %s', (url) => {
    expect(outgoingUrlIssue(url, production)).toBeNull();
    expect(outgoingUrlIssue(url, development)).toBeNull();
  });

  test.each([
    ['http://example.com/', 'The URL must start with https://.'],
    ['ftp://example.com/', 'The URL must start with https://.'],
    ['file:///etc/passwd', 'The URL must start with https://.'],
    ['example.com/webhooks', 'The URL is not valid.'],
    ['https://exam\nple.com/', 'The URL is not valid.'],
    ['https://example.com/a b', 'The URL is not valid.'],
    ['https:\\\\example.com/', 'The URL is not valid.'],
    ['https:example.com/', 'The URL must start with https://.'],
    ['https:/example.com/', 'The URL must start with https://.'],
    ['https:///example.com/', 'The URL is not valid.'],
    ['https://\u{a0}example.com/', 'The URL is not valid.'],
    ['https://example.com/\u{7f}', 'The URL is not valid.'],
    ['https://example.com/\u{85}', 'The URL is not valid.'],
    ['https://example.com\\webhooks', 'The URL is not valid.'],
    ['https://user:secret@example.com/', 'The URL must not contain a user name or password.'],
    ['https://user@example.com/', 'The URL must not contain a user name or password.'],
    ['https://example.com/#part', 'The URL must not contain a fragment.'],
    ['https://example.com:22/', 'The port must be 443 or 8443.'],
    ['https://example.com:6379/', 'The port must be 443 or 8443.'],
    ['https://localhost/', 'The host is not public.'],
    ['https://localhost./', 'The host is not public.'],
    ['https://router/', 'The host is not public.'],
    ['https://metadata.google.internal/', 'The host is not public.'],
    ['https://printer.local/', 'The host is not public.'],
    [`https://example.com/${'a'.repeat(2_100)}`, 'The URL must have at most 2,048 characters.'],
    [`https://${'a.'.repeat(130)}com/`, 'The host must have 1 to 253 characters.'],
  ])('is not allowed: %s', (url, issue) => {
    expect(outgoingUrlIssue(url, production)).toContain(issue);
  });

  test.each([
    ['zero-width space', '\u200b'],
    ['right-to-left mark', '\u200f'],
    ['Arabic letter mark', '\u061c'],
    ['soft hyphen', '\u00ad'],
    ['left-to-right embedding', '\u202a'],
    ['right-to-left override', '\u202e'],
    ['word joiner', '\u2060'],
    ['right-to-left isolate', '\u2067'],
    ['pop directional isolate', '\u2069'],
    ['byte order mark', '\ufeff'],
    ['tag', '\u{e0041}'],
    ['half of a surrogate pair', '\ud800'],
  ])('with an invisible character or one that changes the text direction is not allowed: %s', (_, character) => {
    for (const url of [
      `https://exa${character}mple.com/`,
      `https://example.com/${character}a`,
      `https://example.com/?a=${character}b`,
    ])
      for (const policy of [production, development]) expect(outgoingUrlIssue(url, policy)).toContain('The URL is not valid.');
  });

  test('can have the scheme in upper case, and letters of any language', () => {
    for (const url of ['HTTPS://example.com/', 'https://example.com/équipe?name=日本'])
      expect(outgoingUrlIssue(url, production)).toBeNull();
    expect(outgoingUrlIssue('HTTP://localhost:4010/', development)).toBeNull();
  });

  test.each(['http:localhost:4010', 'http:/localhost:4010', 'https:localhost', 'ftp://localhost/'])(
    'in development needs two slashes after the scheme too: %s',
    (url) => expect(outgoingUrlIssue(url, development)).toBe('The URL must start with https:// or http://.'),
  );

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[fd00:ec2::254]/',
  ])('with a private address in any notation is not allowed: %s', (url) => {
    expect(outgoingUrlIssue(url, production)).toBe(
      'The address of the URL is not public. Use a host with public addresses only.',
    );
  });

  test('of this machine and of private networks is allowed in development, but not that of the metadata of clouds', () => {
    for (const url of [
      'http://localhost:4010/',
      'http://127.0.0.1:4010/',
      'http://[::1]:80/',
      'https://10.1.2.3:9000/',
      'http://receiver:80/',
    ])
      expect(outgoingUrlIssue(url, development)).toBeNull();
    expect(outgoingUrlIssue('http://[fd00::254]/', development)).toBeNull();
    for (const url of [
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://[FD00:0EC2:0::0254]/',
      'http://[fd20:ce::254]/',
      'http://[fd00:c1::a9fe:a9fe]/',
      'http://[fe80::1]/',
      'http://0.0.0.0/',
      'http://224.0.0.1/',
    ])
      expect(outgoingUrlIssue(url, development)).toContain('not public');
  });
});

describe('an address', () => {
  test.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'shared by carriers'],
    ['100.100.100.200', 'metadata of a cloud'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'host of a cloud'],
    ['169.254.169.254', 'link-local'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'metadata of a cloud'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.1.1', 'private'],
    ['198.19.255.255', 'benchmark'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'IPv4-compatible'],
    ['::ffff:10.0.0.1', 'IPv4-mapped'],
    ['::ffff:0:a00:1', 'IPv4-translated'],
    ['64:ff9b::808:808', 'NAT64'],
    ['64:ff9b:1::1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmark'],
    ['2001:10::1', 'ORCHID'],
    ['2001:db8::1', 'documentation'],
    ['2002:a00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'metadata of a cloud'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['localhost', 'not an address'],
    ['', 'not an address'],
  ])('%s is not public: %s', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a01:4f8::1',
    '172.32.0.1',
    '100.128.0.1',
    '11.0.0.1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
});
