/** Team ties: players and pairs of teams, and the parts of their matches. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import type { League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';

export interface Team {
  readonly id: string;
  readonly players: readonly string[];
  readonly pair: string;
}

async function enter(owner: Client, seasonId: string, participant: object): Promise<string> {
  return (await createResource(owner, `/competitions/seasons/${seasonId}/participants`, participant)).id;
}

/** Two players and their pair for each team of a season. */
export async function enterPlayers(owner: Client, league: League, sport: string): Promise<Team[]> {
  const teams: Team[] = [];
  for (const [index, id] of league.participants.entries()) {
    const athletes: string[] = [];
    for (const name of ['First', 'Second']) {
      const facts = { displayName: `${name} of ${index}`, sex: 'MALE', birthYear: 2000, nationalities: ['DE'], status: 'ACTIVE' };
      athletes.push((await createResource(owner, '/athletes', { ...facts, sports: [{ sport, primary: true }] })).id);
    }
    const represents = { representsTeamId: league.teams[index] };
    const players: string[] = [];
    for (const athleteId of athletes)
      players.push(await enter(owner, league.seasonId, { type: 'ATHLETE', athleteId, ...represents }));
    const pair = await enter(owner, league.seasonId, { type: 'PAIR', memberIds: athletes, ...represents });
    teams.push({ id, players, pair });
  }
  return teams;
}

export const side = (participantId: string | undefined) => ({ participantId });

export interface Part {
  readonly sides: readonly (string | undefined)[];
  readonly result: object;
}

/** Adds a finished part to a match. */
export async function addPart(owner: Client, seasonId: string, parentMatchId: string, { sides, result }: Part): Promise<string> {
  const participants = sides.map(side);
  const given = { status: 'OFFICIAL', participants, ...result };
  return (
    await createResource(owner, '/competitions/matches', {
      seasonId,
      parentMatchId,
      participants,
      status: 'FINISHED',
      result: given,
    })
  ).id;
}

/** Starts a match, ends it, and certifies the result that follows from its parts. */
export async function decide(owner: Client, matchId: string, sides: readonly (string | undefined)[]) {
  const path = `/competitions/matches/${matchId}`;
  const put = await owner.send(`${path}/result`, {
    method: 'PUT',
    body: JSON.stringify({ participants: sides.map(side) }),
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
  });
  expect([put.status, put.body.errors]).toEqual([200, undefined]);
  await owner.post(`${path}/finish`);
  const { body } = await owner.post(`${path}/result/certify`);
  return body;
}
