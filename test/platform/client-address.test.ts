/** Who asked, as far as those say it who are believed. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClientAddress } from '../../platform/http/client-address.ts';
import { isWithin, networkOf, parseAddress, parseNetwork } from '../../platform/http/networks.ts';

const ownProxies = ['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.1'].map(networkOf);
const proxy = '10.1.2.3';

interface Asked {
  readonly peer?: string;
  readonly usual?: string;
  readonly forwarded?: string;
}

function addressOf({ peer = proxy, usual, forwarded }: Asked, trusted = ownProxies): string {
  const headers = { ...(usual !== undefined && { 'x-forwarded-for': usual }), ...(forwarded !== undefined && { forwarded }) };
  return createClientAddress(trusted)({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage);
}

describe('the address of a client', () => {
  test('is that of the connection, whatever it says, unless that is of a trusted proxy', () => {
    const lies = { usual: '198.51.100.1', forwarded: 'for=198.51.100.1' };
    for (const [peer, address] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['2001:DB8:0:0::7', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['11.1.2.3', '11.1.2.3'],
      ['2001:db8:fffe::1', '2001:db8:fffe::1'],
    ] as const)
      expect(addressOf({ ...lies, peer })).toBe(address);
    expect(addressOf({ ...lies }, [])).toBe(proxy);
    expect(addressOf({})).toBe(proxy);
  });

  test.each([
    ['one proxy', '203.0.113.7', '203.0.113.7'],
    ['two of ours', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['an invented first hop', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['invented hops that look like ours', '198.51.100.1, 10.0.0.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['only ours', '10.5.5.5, 10.9.9.9', '10.5.5.5'],
    ['a port', '203.0.113.7:4711', '203.0.113.7'],
    ['IPv6', '2001:DB8::0:7', '2001:db8::7'],
    ['IPv6 in brackets', '[2001:db8::7]', '2001:db8::7'],
    ['IPv6 with a port', '[2001:db8::7]:4711', '2001:db8::7'],
    ['a zone', 'fe80::7%eth0', 'fe80::7'],
    ['IPv4 mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['a proxy of ours, mapped', '203.0.113.7, ::ffff:10.9.9.9', '203.0.113.7'],
    ['empty entries', ' , 203.0.113.7,, ', '203.0.113.7'],
    ['unknown', 'unknown', proxy],
    ['unknown behind another of ours', '203.0.113.7, unknown, 10.9.9.9', '10.9.9.9'],
    ['what is no address', '203.0.113.7, 0x7f.1', proxy],
    ['nothing', '', proxy],
  ])('X-Forwarded-For with %s', (_, usual, address) => expect(addressOf({ usual })).toBe(address));

  test.each([
    ['one proxy', 'for=203.0.113.7', '203.0.113.7'],
    ['all that may be in an element', 'By=10.1.2.3; FOR="203.0.113.7:4711" ;proto=https;host="a,b;c"', '203.0.113.7'],
    ['two of ours', 'for=203.0.113.7, for=10.9.9.9;by=10.1.2.3', '203.0.113.7'],
    ['an invented first hop', 'for=198.51.100.1, for=203.0.113.7', '203.0.113.7'],
    ['IPv6', 'for="[2001:db8::7]"', '2001:db8::7'],
    ['IPv6 with a port', 'for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['IPv6 with a port that has a name', 'for="[2001:db8::7]:_port"', '2001:db8::7'],
    ['a value that should have quotes', 'for=[2001:db8::7]:4711', '2001:db8::7'],
    ['escapes', String.raw`for="203\.0.113.7"`, '203.0.113.7'],
    ['empty elements', ',for=203.0.113.7, ,', '203.0.113.7'],
    ['unknown', 'for=unknown', proxy],
    ['a name of its own', 'for=203.0.113.7, for=_hidden, for="10.9.9.9"', '10.9.9.9'],
    ['an element without for', 'for=203.0.113.7, by=10.1.2.3;proto=https', proxy],
    ['a quote that swallows what the proxy added', 'for="198.51.100.1, for=203.0.113.7', proxy],
    ['a quote that its addition closes', 'for=198.51.100.1;x=", for="[2001:db8::7]"', proxy],
    ['for twice', 'for=198.51.100.1;for=203.0.113.7', proxy],
    ['nonsense', 'for', proxy],
  ])('Forwarded with %s', (_, forwarded, address) => expect(addressOf({ forwarded })).toBe(address));

  test('of two headers X-Forwarded-For decides', () => {
    expect(addressOf({ usual: '203.0.113.7', forwarded: 'for=203.0.113.7' })).toBe('203.0.113.7');
    expect(addressOf({ usual: '203.0.113.7', forwarded: 'for=198.51.100.1' })).toBe('203.0.113.7');
    expect(addressOf({ usual: 'unknown', forwarded: 'for=198.51.100.1' })).toBe(proxy);
  });

  test('cannot be chosen by whoever is behind a proxy that adds whom it was asked by', () => {
    const client = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => {
      const address = parseAddress(text);
      return address !== null && !isWithin(address, ownProxies);
    });
    const said = fc.oneof(
      fc.string({
        unit: fc.constantFrom('for=', '"', ',', ';', '\\', ' ', '=', '[', ']', '1.2.3.4', '10.0.0.1', '::1', '%', ':'),
      }),
      fc.string(),
    );
    fc.assert(
      fc.property(client, said, (address, invented) => {
        const canonical = parseAddress(address)?.toString();
        expect(addressOf({ usual: `${invented}, ${address}` })).toBe(canonical);
        const added = address.includes(':') ? `for="[${address}]:80"` : `for=${address}`;
        expect([canonical, proxy]).toContain(addressOf({ forwarded: `${invented}, ${added};proto=https` }));
      }),
    );
  });
});

describe('a network', () => {
  test('is an address or a range; nothing else is', () => {
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
    const holds = (network: string, text: string): boolean => {
      const address = parseAddress(text);
      return address !== null && isWithin(address, [networkOf(network)]);
    };
    expect(holds('10.0.0.0/8', '::ffff:10.1.1.1')).toBe(true);
    expect(holds('::ffff:10.0.0.0/104', '10.1.1.1')).toBe(true);
    expect(holds('::/0', '10.1.1.1')).toBe(false);
    expect(holds('0.0.0.0/0', '::1')).toBe(false);
    expect(holds('fe80::/10', 'fe80::1%eth0')).toBe(true);
    expect(holds('192.0.2.1', '192.0.2.2')).toBe(false);
  });
});
