/** Signatures of calls between processes. */
import { describe, expect, test } from '@jest/globals';
import {
  createNonceMemory,
  sign,
  verify,
  type ReceivedCall,
  type SignedCall,
  type Verdict,
} from '../../platform/security/signature.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const call: SignedCall = {
  key: Buffer.alloc(32, 1),
  method: 'POST',
  path: '/graphql',
  subject: '{"accountId":"a","plan":"Ünïversity ☃"}',
  body: '{"query":"{ athletes { nodes { id } } }"}',
  mutation: true,
};

function receive(change: Partial<ReceivedCall> = {}, at = now, sent: SignedCall = call): Verdict {
  const headers = { ...sign(sent, now), ...change.headers };
  return verify(
    { key: sent.key, method: sent.method, path: sent.path, body: sent.body, nonces: createNonceMemory(), ...change, headers },
    at,
  );
}

describe('a signed call', () => {
  test('is accepted with its subject and kind', () => {
    expect(receive()).toEqual({ ok: true, subject: call.subject, mutation: true });
    expect(receive({}, now, { ...call, mutation: false, body: Buffer.from([0, 255]) })).toMatchObject({
      ok: true,
      mutation: false,
    });
  });

  const forgeries: [string, Partial<ReceivedCall>][] = [
    ['key', { key: Buffer.alloc(32, 2) }],
    ['method', { method: 'GET' }],
    ['path', { path: '/graphql?x' }],
    ['body', { body: `${String(call.body)} ` }],
    ['subject', { headers: { 'x-edge-subject': Buffer.from('{"kind":"SYSTEM"}').toString('base64url') } }],
    ['kind', { headers: { 'x-edge-kind': 'query' } }],
    ['time', { headers: { 'x-edge-time': String(now + 1) } }],
    ['nonce', { headers: { 'x-edge-nonce': 'another' } }],
    ['signature', { headers: { 'x-edge-signature': 'AAAA' } }],
  ];
  test.each(forgeries)('with another %s is rejected', (_, change) => {
    expect(receive(change)).toEqual({ ok: false, reason: 'wrong_signature' });
  });

  test.each(['subject', 'kind', 'time', 'nonce', 'signature'])('with no or two values for %s is rejected', (part) => {
    expect(receive({ headers: { [`x-edge-${part}`]: undefined } })).toEqual({ ok: false, reason: 'unsigned' });
    expect(receive({ headers: { [`x-edge-${part}`]: ['a', 'b'] } })).toEqual({ ok: false, reason: 'unsigned' });
  });

  test('is valid from 60 seconds before to 60 seconds after its time', () => {
    for (const offset of [-60_000, 60_000]) expect(receive({}, now + offset)).toMatchObject({ ok: true });
    for (const offset of [-60_001, 60_001]) expect(receive({}, now + offset)).toEqual({ ok: false, reason: 'wrong_time' });
  });

  test('is accepted once as a mutation and repeatedly as a query', () => {
    for (const mutation of [true, false]) {
      const received = { ...call, headers: sign({ ...call, mutation }, now), nonces: createNonceMemory() };
      expect(verify(received, now)).toMatchObject({ ok: true });
      expect(verify(received, now)).toEqual(mutation ? { ok: false, reason: 'replayed' } : expect.objectContaining({ ok: true }));
    }
  });
});

describe('the nonce memory', () => {
  test('forgets nonces after 120 seconds and rejects new ones while it is full', () => {
    let clock = now;
    const nonces = createNonceMemory(2, () => clock);
    expect([nonces.use('a'), nonces.use('b'), nonces.use('a'), nonces.use('c')]).toEqual(['new', 'new', 'known', 'full']);
    clock += 119_999;
    expect(nonces.use('a')).toBe('known');
    clock += 1;
    expect([nonces.use('c'), nonces.use('a')]).toEqual(['new', 'new']);
  });
});
