/** Client addresses behind trusted and untrusted proxies. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClientAddress } from '../../platform/http/client-address.ts';
import { isWithin, networkOf, parseAddress, parseNetwork } from '../../platform/http/networks.ts';

const ownProxies = ['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.1'].map(networkOf);
const proxy = '10.1.2.3';

interface Connection {
  readonly peer?: string;
  readonly forwardedList?: string;
  readonly forwarded?: string;
}

function addressOf({ peer = proxy, forwardedList, forwarded }: Connection, trusted = ownProxies): string {
  const headers = {
    ...(forwardedList !== undefined && { 'x-forwarded-for': forwardedList }),
    ...(forwarded !== undefined && { forwarded }),
  };
  return createClientAddress(trusted)({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage);
}

describe('the address of a client', () => {
  test('is the address of the connection unless the connection comes from a trusted proxy', () => {
    const forgedHeaders = { forwardedList: '198.51.100.1', forwarded: 'for=198.51.100.1' };
    for (const [peer, address] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['2001:DB8:0:0::7', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['11.1.2.3', '11.1.2.3'],
      ['2001:db8:fffe::1', '2001:db8:fffe::1'],
    ] as const)
      expect(addressOf({ ...forgedHeaders, peer })).toBe(address);
    expect(addressOf({ ...forgedHeaders }, [])).toBe(proxy);
    expect(addressOf({})).toBe(proxy);
  });

  test.each([
    ['one proxy', '203.0.113.7', '203.0.113.7'],
    ['two trusted proxies', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['a forged first hop', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['forged hops that look like trusted proxies', '198.51.100.1, 10.0.0.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['trusted proxies only', '10.5.5.5, 10.9.9.9', '10.5.5.5'],
    ['a port', '203.0.113.7:4711', '203.0.113.7'],
    ['IPv6', '2001:DB8::0:7', '2001:db8::7'],
    ['IPv6 in brackets', '[2001:db8::7]', '2001:db8::7'],
    ['IPv6 with a port', '[2001:db8::7]:4711', '2001:db8::7'],
    ['a zone', 'fe80::7%eth0', 'fe80::7'],
    ['IPv4 mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['a trusted proxy, mapped', '203.0.113.7, ::ffff:10.9.9.9', '203.0.113.7'],
    ['empty entries', ' , 203.0.113.7,, ', '203.0.113.7'],
    ['unknown', 'unknown', proxy],
    ['unknown behind another trusted proxy', '203.0.113.7, unknown, 10.9.9.9', '10.9.9.9'],
    ['an invalid address', '203.0.113.7, 0x7f.1', proxy],
    ['nothing', '', proxy],
  ])('X-Forwarded-For with %s', (_, forwardedList, address) => expect(addressOf({ forwardedList })).toBe(address));

  test.each([
    ['one proxy', 'for=203.0.113.7', '203.0.113.7'],
    ['all parameters of an element', 'By=10.1.2.3; FOR="203.0.113.7:4711" ;proto=https;host="a,b;c"', '203.0.113.7'],
    ['two trusted proxies', 'for=203.0.113.7, for=10.9.9.9;by=10.1.2.3', '203.0.113.7'],
    ['a forged first hop', 'for=198.51.100.1, for=203.0.113.7', '203.0.113.7'],
    ['IPv6', 'for="[2001:db8::7]"', '2001:db8::7'],
    ['IPv6 with a port', 'for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['IPv6 with a named port', 'for="[2001:db8::7]:_port"', '2001:db8::7'],
    ['a value without the required quotes', 'for=[2001:db8::7]:4711', '2001:db8::7'],
    ['escapes', String.raw`for="203\.0.113.7"`, '203.0.113.7'],
    ['empty elements', ',for=203.0.113.7, ,', '203.0.113.7'],
    ['unknown', 'for=unknown', proxy],
    ['an obfuscated name', 'for=203.0.113.7, for=_hidden, for="10.9.9.9"', '10.9.9.9'],
    ['an element without for', 'for=203.0.113.7, by=10.1.2.3;proto=https', proxy],
    ['an unclosed quote before the last entry', 'for="198.51.100.1, for=203.0.113.7', proxy],
    ['a quote that the last entry closes', 'for=198.51.100.1;x=", for="[2001:db8::7]"', proxy],
    ['for twice', 'for=198.51.100.1;for=203.0.113.7', proxy],
    ['an invalid value', 'for', proxy],
  ])('Forwarded with %s', (_, forwarded, address) => expect(addressOf({ forwarded })).toBe(address));

  test('X-Forwarded-For takes precedence over Forwarded', () => {
    expect(addressOf({ forwardedList: '203.0.113.7', forwarded: 'for=203.0.113.7' })).toBe('203.0.113.7');
    expect(addressOf({ forwardedList: '203.0.113.7', forwarded: 'for=198.51.100.1' })).toBe('203.0.113.7');
    expect(addressOf({ forwardedList: 'unknown', forwarded: 'for=198.51.100.1' })).toBe(proxy);
  });

  test('cannot be forged behind a proxy that appends the address of its peer', () => {
    const client = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => {
      const address = parseAddress(text);
      return address !== null && !isWithin(address, ownProxies);
    });
    const forgedHeader = fc.oneof(
      fc.string({
        unit: fc.constantFrom('for=', '"', ',', ';', '\\', ' ', '=', '[', ']', '1.2.3.4', '10.0.0.1', '::1', '%', ':'),
      }),
      fc.string(),
    );
    fc.assert(
      fc.property(client, forgedHeader, (address, forged) => {
        const canonical = parseAddress(address)?.toString();
        expect(addressOf({ forwardedList: `${forged}, ${address}` })).toBe(canonical);
        const appended = address.includes(':') ? `for="[${address}]:80"` : `for=${address}`;
        expect([canonical, proxy]).toContain(addressOf({ forwarded: `${forged}, ${appended};proto=https` }));
      }),
    );
  });
});

describe('a network', () => {
  test('is an address or a range and nothing else', () => {
    for (const text of [
      '',
      'localhost',
      '10',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '::/129',
      '10.0.0.0/8/8',
      '127.1',
      '::ffff:10.0.0.0/95',
      '/8',
    ])
      expect({ text, network: parseNetwork(text) }).toEqual({ text, network: null });
    const contains = (network: string, text: string): boolean => {
      const address = parseAddress(text);
      return address !== null && isWithin(address, [networkOf(network)]);
    };
    expect(contains('10.0.0.0/8', '::ffff:10.1.1.1')).toBe(true);
    expect(contains('::ffff:10.0.0.0/104', '10.1.1.1')).toBe(true);
    expect(contains('::/0', '10.1.1.1')).toBe(false);
    expect(contains('0.0.0.0/0', '::1')).toBe(false);
    expect(contains('fe80::/10', 'fe80::1%eth0')).toBe(true);
    expect(contains('192.0.2.1', '192.0.2.2')).toBe(false);
  });
});
