/** The command line of the importer. */
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { main, runImporter as command } from './run-importer.ts';
import { startBatchServer } from './batch-server.ts';

test('help names every option', async () => {
  const { code, out } = await command(['--help']);
  expect(code).toBe(0);
  for (const option of ['--url', '--key', '--batch-size', '--concurrency', '--rejected']) expect(out).toContain(option);
});

test.each([
  ['season', ['--tie-break RULE', '--deduct TEAM=POINTS:REASON', '--aliases FILE', '--time-zone ZONE', 'competitions:write']],
  ['worldcup', ['--decide "GROUP: A > B: CRITERION: REASON"']],
  ['swimming', ['--from DAY', '(default 2022-06-18)', '--adults-confirmed', 'athletes:write']],
  ['tour', ['--adults-confirmed']],
])('help after %s names its options and scopes', async (name, parts) => {
  const { code, out } = await command([name, '--help']);
  expect([code, parts.filter((part) => !out.includes(part))]).toEqual([0, []]);
});

test.each([
  [['clubs'], 'Name the source and one file'],
  [['clubs', 'x.csv'], 'requires an API key'],
  [['clubs', 'x.csv', '--key', 'k', '--batch-size', '501'], '--batch-size must be a whole number from 1 to 500'],
  [['clubs', '/nowhere/x.csv', '--key', 'k'], 'The file /nowhere/x.csv does not exist.'],
  [['clubs', 'examples', '--key', 'k'], 'The file examples is a folder, not a file.'],
  [['season', main, '--key', 'k', '--country', 'de'], 'the text is not valid JSON.'],
  [['squads', main, '--key', 'k'], `${main} cannot be read as squads: `],
  [['clubs', main, '--key', 'k'], `${main} cannot be read as clubs: `],
  [['clubs', main, '--key', 'k', '--decide', 'x'], "Unknown option '--decide'"],
  [['season', main, '--key', 'k', '--tie-break', 'lots'], '--tie-break must be goal-difference or head-to-head, not lots'],
  [['season', main, '--key', 'k', '--deduct', 'Everton'], '--deduct is TEAM=POINTS:REASON'],
  [['season', main, '--key', 'k', '--time-zone', 'Mars'], '--time-zone must be an IANA name such as Europe/London, not Mars'],
  [['swimming', main, '--key', 'k', '--from', 'June'], '--from must be a day such as 2022-06-18, not June'],
  [['worldcup', main, '--key', 'k'], `${main} cannot be read as worldcup: `],
  [['tour', main, '--key', 'k'], `${main} cannot be read as tour: The file has no column race`],
  [['matches', main, '--key', 'k'], 'Known sources: clubs, universities, squads'],
])('%j ends with 1 and says why', async (args, reason) => {
  const { code, err } = await command(args);
  expect([code, err.includes(reason)]).toEqual([1, true]);
});

test('rejected rows are reported and written as JSON lines, and the exit code is 2', async () => {
  await using server = await startBatchServer();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'import-'));
  const [file, rejected] = [join(folder.path, 'clubs.csv'), join(folder.path, 'rejected.jsonl')];
  await writeFile(file, 'name,country_file,founded,stadium,city,aliases\nFC A,de,,,,\nFC B,xx,,,,\n');
  const { code, out } = await command(['clubs', file, '--url', server.url, '--rejected', rejected], { API_KEY: 'secret' });
  expect([code, server.calls[0]?.key]).toEqual([2, 'secret']);
  expect(out).toMatch(/organizations +2 +1 +0 +0 +1/);
  expect(out).toContain('line 3: FC B: unknown country: xx');
  expect(await readFile(rejected, 'utf8')).toBe(
    `${JSON.stringify({ kind: 'organizations', place: 'line 3', label: 'FC B', reasons: ['unknown country: xx'] })}\n`,
  );
});
