/** Competitions with a season and participants, ready for matches. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';

export interface League {
  readonly competitionId: string;
  readonly seasonId: string;
  /** In the order of the given names. */
  readonly participants: readonly string[];
  /** The teams of the participants. */
  readonly teams: readonly string[];
}

let count = 0;

/** Creates all items in one request and returns their IDs in order. */
async function createAll(owner: Client, path: string, items: readonly object[]): Promise<string[]> {
  if (items.length === 0) return [];
  const named = items.map((item) => ({ ...item, externalIds: [{ scheme: 'TEST', value: `league-${(count += 1)}` }] }));
  const { body } = await owner.post(`${path}/batch`, { items: named });
  expect(body.summary).toMatchObject({ created: items.length });
  return body.data.map(({ id }: { id: string }) => id);
}

/** A published league with a season in progress and a national team for each name. */
export async function playLeague(
  owner: Client,
  names: readonly string[],
  facts: object = {},
  seasonFacts: object = {},
): Promise<League> {
  const kind = { name: 'Landesliga', sport: 'FOOTBALL', type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED', ...facts };
  const { body: competition } = await owner.post('/competitions', kind);
  const { body: season } = await owner.post('/competitions/seasons', {
    name: '2026/27',
    startDate: '2026-08-01',
    endDate: '2027-05-30',
    status: 'IN_PROGRESS',
    ...seasonFacts,
    competitionId: competition.id,
  });
  const { sport, category } = kind;
  const teams = await createAll(
    owner,
    '/organizations/teams',
    names.map((name) => ({ name, sport, category, country: 'DE' })),
  );
  const participants = await createAll(
    owner,
    `/competitions/seasons/${season.id}/participants`,
    teams.map((teamId) => ({ type: 'TEAM', teamId })),
  );
  return { competitionId: competition.id, seasonId: season.id, participants, teams };
}

/** One participant for each team of a season, which represents it in the parts of team ties. */
export async function enterRepresentatives(
  owner: Client,
  { seasonId, teams }: League,
  names: readonly string[],
): Promise<string[]> {
  const entered: string[] = [];
  for (const [index, name] of names.entries()) {
    const participant = { type: 'RELAY', name, representsTeamId: teams[index] };
    const { status, body } = await owner.post(`/competitions/seasons/${seasonId}/participants`, participant);
    if (status !== 201) throw new Error(JSON.stringify(body));
    entered.push(String(body.id));
  }
  return entered;
}
