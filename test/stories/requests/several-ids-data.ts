/** Two clubs with everything that lists filter by, and a hidden club, team and athlete next to them. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { createAbsence } from '../athletes/absences.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { playLeague } from '../competitions/leagues.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { responses } from '../opportunities/applicants.ts';
import { createAdult, createClub, createMember, createTeam } from '../organizations/clubs.ts';
import { createTransfer } from '../organizations/transfers.ts';
import { offer } from '../scouting/market.ts';
import { addEntry, createContactRequest, createShortlist, report } from '../scouting/scouts.ts';

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

/** A club with a team, a separate league, and an opponent in it. The competition of a hidden club is public. */
async function createSide(owner: Client, status: string) {
  const { id: club } = await createClub(owner, { status });
  const { id: team } = await createTeam(owner, club);
  const league = await playLeague(owner, ['Opponent'], { category: 'WOMEN', organizerId: club });
  const path = `/competitions/seasons/${league.seasonId}/participants`;
  const { id: participant } = await createResource(owner, path, { type: 'TEAM', teamId: team });
  return {
    club,
    team,
    competition: league.competitionId,
    season: league.seasonId,
    participant,
    opponent: league.participants[0],
  };
}

type Side = Awaited<ReturnType<typeof createSide>>;

/** A finished match of a side, with athletes of whom the first scores. */
async function play(owner: Client, { season, participant, opponent }: Side, athletes: readonly string[]) {
  const match = await createResource(owner, '/competitions/matches', {
    seasonId: season,
    date: '2026-09-05',
    status: 'FINISHED',
    participants: [
      { participantId: participant, side: 'HOME', lineup: athletes.map((athleteId) => ({ athleteId })) },
      { participantId: opponent, side: 'AWAY' },
    ],
    result: {
      status: 'OFFICIAL',
      participants: [
        { participantId: participant, score: 1 },
        { participantId: opponent, score: 0 },
      ],
    },
  });
  const [athleteId] = athletes;
  const goal = { type: 'GOAL', minute: 3, participantId: participant, athleteId };
  expect((await owner.post(`/competitions/matches/${match.id}/actions`, goal)).status).toBe(201);
  return { match: match.id, contest: match.contest.id, stage: match.stage.id };
}

/** An athlete of a side: a member, suspended, in a match and in a replay of it. */
async function enter(owner: Client, side: Side, athlete: string, others: readonly string[] = []) {
  const { club, team, competition } = side;
  await createMember(owner, club, athlete, { teamId: team, startDate: '2026-01-01' });
  await createAbsence(owner, athlete, { kind: 'SUSPENSION', competitionId: competition });
  const played = await play(owner, side, [athlete, ...others]);
  await film(owner, athlete, { matchId: played.match });
  const { id: mover } = await createAdult(owner);
  await sign(owner, mover, side);
  return { athlete, mover, ...played };
}

async function film(owner: Client, athleteId: string, more: object = {}) {
  const replay = { athleteId, title: 'Goal', kind: 'CLIP', url: 'https://video.example/1', status: 'PUBLISHED', ...more };
  await createResource(owner, '/competitions/replays', replay);
}

/** A transfer to a club, which makes the athlete a member. */
const sign = (owner: Client, athleteId: string, { club, team }: Side) =>
  createTransfer(owner, { athleteId, type: 'PERMANENT', date: '2026-07-01', toOrganizationId: club, toTeamId: team });

/** Applies to an opportunity. Returns the application. */
const apply = (agent: Client, opportunityId: string, athleteId: string) =>
  createResource(agent, '/opportunities/applications', { opportunityId, athleteId, answers: responses, status: 'SUBMITTED' });

/** An athlete whose application the opportunity's account can no longer find: withdrawn, and of a profile that is now private. */
async function leave(agent: Client, opportunityId: string): Promise<string> {
  const { id } = await createAdult(agent);
  const application = await apply(agent, opportunityId, id);
  expect((await agent.post(`/opportunities/applications/${application.id}/withdraw`)).status).toBe(200);
  expect((await agent.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })).status).toBe(200);
  return id;
}

/** An opportunity of a club, an application to it, and what a scout stores about the applicant. */
async function recruit(owner: Client, agent: Client, scout: Client, { club, match }: { club: string; match: string }) {
  const trial = { ...offer(), type: 'TRIAL', organizationId: club, title: 'Trial', status: 'PUBLISHED' };
  const { id: opportunity } = await createResource(owner, '/opportunities', trial);
  const { id: applicant } = await createAdult(agent);
  await apply(agent, opportunity, applicant);
  await createContactRequest(scout, applicant);
  const shortlist = await createShortlist(scout);
  const entry = await addEntry(scout, shortlist, applicant);
  expect((await scout.post(`${entry}/reports`, report({ date: '2026-09-05', matchId: match }))).status).toBe(201);
  const problem = { subjectType: 'ORGANIZATION', subjectId: club, category: 'IMPERSONATION', text: 'This is not us.' };
  expect((await scout.post('/reports', problem)).status).toBe(201);
  return { opportunity, applicant, shortlist: idOf(shortlist) };
}

/** Two values of each filter, and what is hidden from all but the owner. */
export async function openSeveralIds(platform: TestPlatform) {
  const [owner, agent, scout] = await Promise.all(['Owner', 'Agent', 'Scout'].map((account) => platform.account({ account })));
  if (!owner || !agent || !scout) throw new Error('An account is missing.');
  const sides = [];
  for (const index of [0, 1]) {
    const side = await createSide(owner, 'ACTIVE');
    const entered = await enter(owner, side, (await createAdult(owner, { displayName: `Athlete ${index}` })).id);
    sides.push({ ...side, ...entered, ...(await recruit(owner, agent, scout, { ...side, ...entered })) });
  }
  const [first, second] = sides;
  if (!first || !second) throw new Error('A club is missing.');
  const side = await createSide(owner, 'DRAFT');
  const { id: athlete } = await createAthlete(owner, { dateOfBirth: bornFor(22, 50) });
  // a visible athlete in the hidden club, with a hidden one in the same match
  const entered = await enter(owner, side, (await createAdult(owner)).id, [athlete]);
  await sign(owner, athlete, side);
  await createAbsence(owner, athlete, { kind: 'SUSPENSION' });
  await film(owner, athlete);
  const applicant = await leave(agent, first.opportunity);
  await platform.settled();
  await platform.maintain();
  const hidden = { ...side, athlete, mover: entered.mover, applicant };
  return { clients: { anonymous: platform.anonymous, owner, agent, scout }, first, second, hidden };
}

export type SeveralIds = Awaited<ReturnType<typeof openSeveralIds>>;
