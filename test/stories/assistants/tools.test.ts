/** Assistants use the reads as tools over the Model Context Protocol, with the official client. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { remainingOf, usageOf } from '../accounts/rates.ts';
import { openAssistant, type Assistant, type AssistantOptions } from './assistant.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
const opened: Assistant[] = [];
const clubs = ['Alster', 'Bille', 'Elbe', 'Este', 'Luhe'];

beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  owner = await platform.account({ account: 'Owner' });
  for (const name of clubs) {
    const { status } = await owner.post('/organizations', {
      type: 'CLUB',
      name,
      country: 'DE',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  for (const assistant of opened) await assistant.close();
  await platform.close();
});

async function open(options: AssistantOptions = {}): Promise<Assistant> {
  const assistant = await openAssistant(platform.restUrl, options);
  opened.push(assistant);
  return assistant;
}
const withKey = (key: string): AssistantOptions => ({ headers: { authorization: `Bearer ${key}` } });

describe.each(['2025', '2026'] as const)('with the revision of %s', (revision) => {
  test('tools are listed with descriptions and schemas, and a call returns the JSON of the REST route', async () => {
    const assistant = await open({ revision });
    const { tools } = await assistant.client.listTools();
    expect(tools.length).toBeLessThanOrEqual(40);
    const tool = tools.find(({ name }) => name === 'listOrganizations');
    expect(tool).toMatchObject({
      title: 'List organizations',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } } },
    });
    expect(tool?.description).toContain('`page.nextCursor` as `cursor`');
    expect(tools.find(({ name }) => name === 'listShortlists')?.description).toContain(
      'Requires an API key with the scope scouting:read.',
    );
    expect(JSON.stringify(tools)).not.toContain('$ref');
    expect(tools.map(({ name }) => name)).not.toContain('createOrganization');

    const { text, content, isError } = await assistant.call('listOrganizations', { q: 'el', sport: ['FOOTBALL', 'TENNIS'] });
    const { body } = await platform.anonymous.get('/organizations?q=el&sport=FOOTBALL,TENNIS');
    expect({ isError, content, text: JSON.parse(text) }).toEqual({ isError: false, content: body, text: body });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Elbe']);
  });

  test('an unknown tool is an error of the protocol that names it', async () => {
    const assistant = await open({ revision });
    await expect(assistant.call('deleteEverything')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no tool deleteEverything.'),
    });
  });
});

describe('a call', () => {
  test('continues a list with its cursor, and omits null arguments', async () => {
    const assistant = await open();
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const { content } = await assistant.call('listOrganizations', { limit: 2, fields: ['name'], sort: 'name', cursor });
      names.push(...content.data.map(({ name }: { name: string }) => name));
      cursor = content.page.nextCursor;
    } while (cursor !== null);
    expect(names).toEqual(clubs);
  });

  test('with invalid arguments returns the problem with every violation', async () => {
    const assistant = await open();
    const { isError, content, text } = await assistant.call('listOrganizations', {
      limit: 1_000,
      country: 'Germany',
      colour: 'red',
    });
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toEqual(content);
    const { body } = await platform.anonymous.get('/organizations?limit=1000&country=Germany&colour=red');
    expect({ ...content, requestId: null }).toEqual({ ...body, requestId: null });
    expect(content).toMatchObject({ status: 400, code: 'unknown_parameter', instance: '/api/v1/organizations' });
    expect((await assistant.call('listOrganizations', { q: { name: 'x' } })).content).toMatchObject({
      code: 'parameter_invalid',
      errors: [{ parameter: 'q', code: 'type' }],
    });
    expect((await assistant.call('getOrganization')).content).toMatchObject({
      code: 'parameter_invalid',
      errors: [{ parameter: 'id', code: 'required' }],
    });
    for (const id of ['nothing', '../plans', '01900000-0000-7000-8000-000000000000'])
      expect((await assistant.call('getOrganization', { id })).content).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('uses the quota of the key once, and nothing else does', async () => {
    const { key, get } = await platform.account({ account: 'Counted' });
    const client = { get } as Client;
    const before = await usageOf(client);
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
      const assistant = await open({ headers });
      await assistant.client.listTools();
      await assistant.client.ping();
      await assistant.call('listOrganizations', { limit: 1 });
      expect(assistant.last().headers.get('ratelimit-policy')).toContain('"day"');
    }
    const calls = await open(withKey(key));
    await calls.call('listOrganizations', { limit: 0 });
    await expect(calls.call('nothing')).rejects.toThrow('There is no tool');
    const { day, month } = await usageOf(client);
    expect({ day: day - before.day, month: month - before.month }).toEqual({ day: 4, month: 4 });
    const over = await client.get('/organizations?limit=1');
    const { headers } = (await calls.call('listOrganizations', { limit: 1 }), calls.last());
    expect(remainingOf(headers.get('ratelimit'))['day']).toBe((remainingOf(over.headers.get('ratelimit'))['day'] ?? 0) - 1);
  });

  test('is recorded in the usage with its operation', async () => {
    const account = await platform.account({ account: 'Recorded' });
    const assistant = await open(withKey(account.key));
    await assistant.call('listOrganizations');
    await eventually(async () => {
      await platform.flushUsage();
      const { body } = await account.get('/usage?granularity=DAY&groupBy=AREA');
      expect(JSON.stringify(body)).toContain('"area":"organizations"');
    });
  });

  test('above the quota returns the problem, with Retry-After', async () => {
    await platform.plan('twice', { burstPerMinute: 1_000, perDay: 2, perMonth: 1_000 });
    const { key } = await platform.account({ account: 'Twice', plan: 'twice' });
    const assistant = await open(withKey(key));
    for (const expected of [false, false, true]) expect((await assistant.call('listOrganizations')).isError).toBe(expected);
    const { content } = await assistant.call('listOrganizations');
    expect(content).toMatchObject({ status: 429, code: 'quota_exceeded', limit: 2, used: 2, plan: 'twice' });
    const { headers } = assistant.last();
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  });

  test('without the required scope, or without a key, returns the problem', async () => {
    const { key } = await platform.account({ account: 'Unscoped', scopes: [] });
    const unscoped = await open(withKey(key));
    expect((await unscoped.call('listShortlists')).content).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      requiredScopes: ['scouting:read'],
    });
    const anonymous = await open();
    expect((await anonymous.call('getMe')).content).toMatchObject({ status: 401, code: 'api_key_missing' });
    const { content } = await (await open(withKey(owner.key))).call('getMe');
    expect(content).toMatchObject({ account: { name: 'Owner' } });
  });

  test('follows the redirect of a merged athlete', async () => {
    const [kept, merged] = [await createAdult(owner), await createAdult(owner)];
    const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    const { status } = await moderator.post(`/athletes/${merged.id}/merge`, { intoId: kept.id, reason: 'Twice' });
    expect(status).toBe(200);
    const assistant = await open(withKey(owner.key));
    expect((await assistant.call('getAthlete', { id: merged.id })).content).toEqual(
      (await owner.get(`/athletes/${kept.id}`)).body,
    );
    await platform.settled();
    for (const name of ['listAthleteResults', 'listMembershipsOfAthlete'])
      expect((await assistant.call(name, { [name === 'listAthleteResults' ? 'athleteId' : 'id']: merged.id })).isError).toBe(
        false,
      );
  });
});
