/** Texts that mean something to a database, a shell or a browser mean nothing here: they are searched for and stored as they are. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { countRows } from '../rows.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Bobby Tables' });
});
afterAll(() => world.close());

const texts = [
  `Robert'); drop table organization; --`,
  `" or ""="`,
  `1; select pg_sleep(10)`,
  `$1 $2 $$ :name ? ?1 @x`,
  `100%_\\%`,
  `\\'; \\x00 \\u0000`,
  `/* comment */ -- #`,
  `{"a": [1]} {1,2,3}`,
  `a & b | !c <-> d:*`,
  `<script>alert(1)</script>`,
  'Zoë Çelik-Œuvre 武蔵 فريق 👩‍👩‍👧',
  `=cmd|' /C calc'!A0`,
  '   spaces   around   ',
  'a\tb',
  '%',
  '_',
  "'",
  '\\',
];

describe.each(texts)('%j', (text) => {
  const club = { type: 'CLUB', name: text, country: 'DE', sports: ['FOOTBALL'], city: text, aliases: [text], status: 'ACTIVE' };

  test('is found by nothing it says, in every text filter', async () => {
    await world.settled();
    const before = await countRows(world.database);
    const q = encodeURIComponent(text);
    for (const path of ['/organizations', '/organizations/teams', '/athletes', '/competitions', '/opportunities']) {
      const answer = await owner.get(`${path}?q=${q}`);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect((await owner.get(`${path}?externalId=TEST:${q}`)).body.data).toEqual([]);
    }
    for (const path of [
      `/athletes?discipline=${q}`,
      `/athletes?position=${q}`,
      `/athletes/statistics?metric=${q}`,
      `/scouting/prospects?position=${q}`,
    ]) {
      expect((await owner.get(path)).status).toBeLessThan(500);
    }
    expect((await owner.get(`/organizations?cursor=${q}`)).body.code).toBe('cursor_invalid');
    const graph = await owner.graphql(
      'query ($q: String!) { organizations(filter: { q: $q }) { nodes { id } } athletes(filter: { q: $q }) { nodes { id } } }',
      { q: text },
    );
    expect(graph.body.errors).toBeUndefined();
    expect(await countRows(world.database)).toEqual(before);
  });

  test('is stored and read back unchanged, through both doors', async () => {
    const externalIds = [{ scheme: 'TEST', value: text }];
    const created = await owner.post(
      '/organizations',
      { ...club, externalIds },
      { 'idempotency-key': `k${texts.indexOf(text)}` },
    );
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
    const { id } = created.body;
    const read = await world.anonymous.get(`/organizations/${id}`);
    expect(read.body).toMatchObject({ name: text, city: text, aliases: [text], externalIds });
    const graph = await world.anonymous.graphql('query ($id: ID!) { organization(id: $id) { name city } }', { id });
    expect(graph.body.data.organization).toEqual({ name: text, city: text });
    const found = await world.anonymous.get(`/organizations?externalId=TEST:${encodeURIComponent(text)}`);
    expect(found.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
    const paged = await world.anonymous.get('/organizations?sort=name&limit=1');
    expect(
      (
        await world.anonymous.get(
          `/organizations?sort=name&limit=1&cursor=${encodeURIComponent(paged.body.page.nextCursor ?? '')}`,
        )
      ).status,
    ).toBeLessThan(500);
    const patched = await owner.patch(`/organizations/${id}`, { shortName: text.slice(0, 60) }, { 'if-match': '"1"' });
    expect(patched.body).toMatchObject({ shortName: text.slice(0, 60) });
  });
});

test('all of them are in the list in order of name, each once, page by page', async () => {
  const seen: string[] = [];
  let path: string | null = '/organizations?sort=name&limit=3&mine=true';
  while (path !== null) {
    const { body, headers } = await owner.get(path);
    seen.push(...body.data.map((each: { name: string }) => each.name));
    const link = /<[^>]*?(\/organizations\?[^>]*)>/.exec(headers.get('link') ?? '');
    path = link?.[1] ?? null;
  }
  expect(seen.toSorted()).toEqual(texts.toSorted());
});
