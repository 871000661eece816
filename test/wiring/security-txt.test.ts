/** /.well-known/security.txt (RFC 9116) on a public server, and its variables. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { securityText, type SecurityContacts } from '../../platform/http/security-txt.ts';
import { createLog } from '../../platform/log.ts';
import { serverOptions } from '../../wiring/process-options.ts';
import { createPublicServer } from '../../wiring/public-server/public-server.ts';
import { securityContacts } from '../../wiring/security-environment.ts';
import { serviceOf } from '../../commands/compose-file.ts';

const path = '/.well-known/security.txt';
const log = createLog({ name: 'test', level: 'silent' });
const dayMs = 86_400_000;
const security = {
  contacts: ['mailto:security@example.com', 'https://example.com/report'],
  policy: 'https://example.com/policy',
};

let app: FastifyInstance | null = null;
afterEach(() => app?.close());

async function read(variables: Record<string, string>) {
  app = await createPublicServer({ ...serverOptions(variables, log), readiness: {} });
  return app.inject({ url: path, headers: { host: 'api.example.com' } });
}

const expiresOf = (text: string): number => Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');

test('the file has the contacts in order, one expiry, and the canonical address', async () => {
  const { statusCode, headers, body } = await read({
    SECURITY_CONTACT: security.contacts.join(', '),
    SECURITY_POLICY: security.policy,
    PUBLIC_URL: 'https://api.example.com',
  });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(body.replace(/^Expires: \S+$/m, 'Expires: …')).toBe(`Contact: mailto:security@example.com
Contact: https://example.com/report
Expires: …
Preferred-Languages: en
Canonical: https://api.example.com/.well-known/security.txt
Policy: https://example.com/policy
`);
});

test('without a contact there is no file', async () => {
  const { statusCode, body } = await read({ SECURITY_POLICY: security.policy });
  expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found']);
});

test.each([0, Date.UTC(2027, 0, 1), Date.UTC(2028, 1, 29, 23, 59, 59), Date.UTC(2030, 11, 31, 12)])(
  'at %d the file expires in more than 90 days and less than a year',
  (nowMs) => {
    const contacts: SecurityContacts = { contacts: security.contacts, policy: null };
    const text = securityText(contacts, null, nowMs);
    const days = (expiresOf(text) - nowMs) / dayMs;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
    expect(text).toMatch(/^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m);
    expect(text).not.toMatch(/Canonical|Policy/);
  },
);

describe('SECURITY_CONTACT', () => {
  test.each(['security@example.com', 'http://example.com', 'mailto:security', 'https://example.com/a\nExpires: x'])(
    'rejects %j',
    (contact) => {
      expect(() => securityContacts({ SECURITY_CONTACT: contact })).toThrow('SECURITY_CONTACT must be URIs');
    },
  );

  test.each(['rest', 'router'])('reaches the process %s', (name) => {
    expect(serviceOf(name).environment).toHaveProperty('SECURITY_CONTACT');
    expect(serviceOf(name).environment).toHaveProperty('SECURITY_POLICY');
  });
});
