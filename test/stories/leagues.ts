/** Competitions with a season and its participants, ready to be played. */
import { openDatabase, raw, sql } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import type { World } from '../world.ts';

export interface League {
  readonly competitionId: string;
  readonly seasonId: string;
  /** In the order of the names asked for. */
  readonly participants: readonly string[];
}

/** A published league of an account, with a team of each name in its season. */
export async function playLeague(world: World, owner: Client, names: readonly string[], facts: object = {}): Promise<League> {
  const kind = { name: 'Landesliga', sport: 'FOOTBALL', type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED', ...facts };
  const { body: competition } = await owner.post('/competitions', kind);
  const { body: season } = await owner.post('/competitions/seasons', {
    name: '2026/27',
    startDate: '2026-08-01',
    endDate: '2027-05-30',
    status: 'IN_PROGRESS',
    competitionId: competition.id,
  });
  const database = openDatabase({ url: world.database.ownerUrl, name: 'test-league', poolSize: 1 });
  const rows = await database.query<{ id: string; name: string }>(sql`/* test.participants */
    insert into ${raw('competitions.participant')} (account_id, published, season_id, sport, type, name)
    select s.account_id, s.published, s.id, s.sport, 'TEAM', t.name
    from ${raw('competitions.season')} s, unnest(${[...names]}::text[]) as t(name) where s.id = ${season.id} returning id, name`);
  await database.close();
  const byName = new Map(rows.map(({ id, name }) => [name, id]));
  return { competitionId: competition.id, seasonId: season.id, participants: names.map((name) => byName.get(name) ?? '') };
}
