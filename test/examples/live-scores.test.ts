/** The example that follows a match, in a real browser. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../architecture/source.ts';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { playLeague } from '../stories/competitions/leagues.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let browser: Browser;
let example: ChildProcess;
let origin: string;
let owner: Client & { readonly key: string };
beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  owner = await platform.account();
  const args = ['examples/live-scores/main.ts', '--url', platform.restUrl, '--port', '0'];
  example = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, API_KEY: owner.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (example.stdout === null) throw new Error('The example has no output.');
  const [line] = (await once(createInterface(example.stdout), 'line')) as [string];
  origin = new URL(line).origin;
});
afterAll(async () => {
  example.kill();
  await browser.close();
  await platform.close();
});

test('the page shows the score of a match and each change of it, without a key in the browser', async () => {
  const { seasonId, participants } = await playLeague(owner, ['Rot', 'Blau']);
  const [home, away] = participants;
  const sides = [
    { participantId: home, side: 'HOME' },
    { participantId: away, side: 'AWAY' },
  ];
  const { body: match } = await owner.post('/competitions/matches', { seasonId, participants: sides });
  const visit = await browser.visit(origin);
  await visit.page.goto(`/?match=${match.id}`);
  const text = (selector: string) => visit.page.locator(selector);
  await text('#connection').getByText('live').waitFor();
  await text('#sides').getByText('Rot').waitFor();
  await owner.post(`/competitions/matches/${match.id}/start`);
  await text('#status').getByText('in play').waitFor();
  await owner.post(`/competitions/matches/${match.id}/finish`);
  const result = { participants: [home, away].map((participantId, index) => ({ participantId, score: index === 0 ? 41 : 7 })) };
  await owner.send(`/competitions/matches/${match.id}/result`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(result),
  });
  await text('#sides').getByText('41').waitFor();
  expect(await text('#sides td').allTextContents()).toEqual(['41', '7']);
  // the page can read the score before the event of the result arrives
  for (const change of ['result recorded', 'match status changed']) await text('#events').getByText(change).first().waitFor();
  expect(visit.faults()).toEqual([]);
  expect(await visit.barriers()).toEqual([]);
  await visit.close();
});
