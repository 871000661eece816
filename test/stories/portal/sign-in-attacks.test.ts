/** What a stranger or an owner learns from the sign-in of the portal, and what requests without a session cost. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postSameOrigin, sameOrigin } from '../../administrator.ts';
import { createMember, createMemberWithPassword } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

let network = 0;
const fromNewNetwork = (): Record<string, string> => {
  network += 1;
  return { 'x-forwarded-for': `198.19.7.${network}` };
};
const post = (path: string, body: unknown, headers: Record<string, string> = fromNewNetwork()) =>
  postSameOrigin(platform.graphqlUrl, path, body, headers);

describe('an owner who invites an address', () => {
  const inviteAs = async (owner: Awaited<ReturnType<typeof createMember>>, email: string) => {
    const invite = `mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) {
      setupPath invitation { status acceptedAt: expiresAt }
    } }`;
    return (await owner.run(invite, { email })).inviteMember;
  };

  test('does not learn from the link, or from a request that creates no user, whether the address has one', async () => {
    const [owner, known] = [await createMember(platform), await createMember(platform)];
    const answers = [];
    for (const email of [known.email, 'nobody-yet@example.com']) {
      const { setupPath, invitation } = await inviteAs(owner, email);
      const token = setupPath.split('#')[1];
      const look = await post('/portal/setup/look', { token });
      const { email: address, expiresAt: _, ...rest } = look.body;
      expect(address).toBe(email);
      const setup = await post('/portal/setup', { token, name: 'Eve', password: 'short' });
      const { requestId: __, ...problem } = setup.body;
      answers.push({ status: invitation.status, look: [look.status, rest], setup: [setup.status, problem] });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.setup).toMatchObject([422, { code: 'validation_failed' }]);
  });
});

test('a wrong password costs the same statements for a known and an unknown address', async () => {
  const member = await createMemberWithPassword(platform);
  const statementsOf = async (email: string): Promise<string[]> => {
    platform.statements();
    expect((await post('/portal/session', { email, password: 'a wrong password' })).status).toBe(401);
    return platform.statements();
  };
  const known = await statementsOf(member.email);
  expect(known).toContain('write.flush');
  expect(await statementsOf('nobody-at-all@example.com')).toEqual(known);
  const administrator = await platform.administrator();
  const history = `query ($id: ID!) { auditEntries(first: 9, filter: { resourceType: "portal_user", resourceId: $id }) {
    nodes { action }
  } }`;
  const { data } = await administrator.run(history, { id: member.userId });
  expect(data.auditEntries.nodes).toContainEqual({ action: 'sign_in_failed' });
});

describe.each(['/admin', '/portal'] as const)('requests to %s', (base) => {
  const name = base === '/admin' ? '__Host-session' : '__Host-portal-session';
  const get = (cookie: string, headers: Record<string, string>) =>
    fetch(`${platform.graphqlUrl}${base}/session`, { headers: { cookie: `${name}=${cookie}`, ...headers } });
  const random = (): string => randomBytes(32).toString('base64url');

  test('with a cookie of another form read nothing from the database', async () => {
    await platform.administrator();
    await get('', fromNewNetwork());
    platform.statements();
    for (const cookie of ['x', "' or 1=1", `${random()}x`, random().slice(1)]) {
      const response = await get(encodeURIComponent(cookie), fromNewNetwork());
      expect([cookie, response.status]).toEqual([cookie, 200]);
    }
    expect(platform.statements()).toEqual([]);
  });

  test('with cookies of no session are limited per network before the database, and those with a session are not', async () => {
    const headers = fromNewNetwork();
    const person = base === '/admin' ? await platform.administrator() : await createMember(platform);
    const own = person.cookie.split('=')[1] ?? '';
    expect((await get(own, headers)).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 310; count += 1) statuses.push((await get(random(), headers)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(300);
    expect(statuses.at(-1)).toBe(429);
    platform.statements();
    const limited = await get(random(), headers);
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0, platform.statements()]).toEqual([429, true, []]);
    const graph = await fetch(`${platform.graphqlUrl}${base}/graphql`, {
      method: 'POST',
      headers: { ...sameOrigin, ...headers, cookie: `${name}=${random()}`, 'x-account-id': randomUUID() },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect([graph.status, Number(graph.headers.get('retry-after')) > 0, platform.statements()]).toEqual([429, true, []]);
    expect(await (await get(own, headers)).json()).toMatchObject({ state: 'SIGNED_IN' });
    expect((await get(random(), fromNewNetwork())).status).toBe(200);
  });

  test('of the sign-in have bodies of at most 4 kB', async () => {
    const body = JSON.stringify({ padding: 'x'.repeat(5_000) });
    const routes = [
      ['POST', '/session'],
      ['DELETE', '/session'],
      ['DELETE', '/sessions'],
      ['POST', '/setup'],
      ['POST', '/setup/look'],
      ['POST', '/password'],
      ['POST', '/second-factor'],
      ...(base === '/portal' ? [['POST', '/invitation'] as const] : []),
    ] as const;
    for (const [method, path] of routes) {
      const headers = { ...sameOrigin, ...fromNewNetwork() };
      const response = await fetch(`${platform.graphqlUrl}${base}${path}`, { method, headers, body });
      expect([method, path, response.status]).toEqual([method, path, 413]);
    }
  });

  test('of the sign-in are limited per network before their body is read', async () => {
    const headers = { ...sameOrigin, ...fromNewNetwork() };
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1)
      statuses.push((await fetch(`${platform.graphqlUrl}${base}/setup/look`, { method: 'POST', headers, body: '{' })).status);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });
});
