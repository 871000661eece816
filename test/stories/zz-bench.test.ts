/** tmp */
import { test } from '@jest/globals';
import { openWorld } from '../world.ts';
import { playLeague } from './leagues.ts';
import { execSync } from 'node:child_process';

test('bench', async () => {
  const world = await openWorld();
  const owner = await world.account({ account: 'League' });
  const names = Array.from({ length: 20 }, (_, i) => `T${i}`);
  const league = await playLeague(world, owner, names);
  const items: object[] = [];
  for (let h = 0; h < 20; h += 1)
    for (let a = 0; a < 20; a += 1)
      if (h !== a)
        items.push({
          seasonId: league.seasonId,
          externalIds: [{ scheme: 'FEED', value: `${h}-${a}` }],
          matchday: ((h + a) % 38) + 1,
          startTime: new Date(Date.UTC(2026, 7, 8 + ((h + a) % 38) * 7, 15)).toISOString(),
          timeZone: 'Europe/Berlin',
          status: 'FINISHED',
          participants: [
            { participantId: league.participants[h], side: 'HOME' },
            { participantId: league.participants[a], side: 'AWAY' },
          ],
          result: {
            status: 'OFFICIAL',
            participants: [
              { participantId: league.participants[h], score: h % 4 },
              { participantId: league.participants[a], score: a % 3 },
            ],
          },
        });
  const pg = () => {
    try {
      return execSync("ps -eo cputimes,cmd | grep -c '[p]ostgres'").toString().trim();
    } catch {
      return '?';
    }
  };
  for (let round = 0; round < 3; round += 1) {
    world.statements();
    const cpu = process.cpuUsage();
    const start = performance.now();
    const { body } = await owner.post('/competitions/matches/batch', { items });
    const used = process.cpuUsage(cpu);
    const ran = world.statements();
    const counts = Object.entries(Object.groupBy(ran, (n) => n))
      .map(([n, l]) => `${n}:${l?.length}`)
      .join(' ');
    process.stdout.write(
      `round ${round} ${JSON.stringify(body.summary)} wall ${Math.round(performance.now() - start)} cpu ${Math.round((used.user + used.system) / 1000)} statements ${ran.length} pg ${pg()}\n${counts}\n${JSON.stringify(body.data.find((d: { error: unknown }) => d.error))}\n`,
    );
  }
  const start = performance.now();
  const { body } = await owner.get(`/competitions/matches?seasonId=${league.seasonId}&limit=100`);
  process.stdout.write(`list ${body.data.length} ${Math.round(performance.now() - start)}\n`);
  await world.close();
}, 100000);
