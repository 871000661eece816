/** Participations of athletes in matches: minutes, marks and actions. */
import { describe, expect, test } from '@jest/globals';
import {
  participationsOf,
  type TypedEntry,
  type PlayedMatch,
} from '../../../../subgraphs/competitions/participations/participation.ts';
import { profiled, type LineupValue } from '../../../../subgraphs/competitions/match-participants/values.ts';
import type { MatchActionRow } from '../../../../subgraphs/competitions/match-actions/rows.ts';

const player = (athleteId: string, starter = true): LineupValue => ({
  athleteId,
  position: null,
  shirtNumber: null,
  starter,
  captain: false,
});

function entry(facts: Partial<TypedEntry>): TypedEntry {
  const lineup = facts.lineup ?? [];
  return {
    id: crypto.randomUUID(),
    matchId: 'm',
    ordinal: 0,
    participantId: crypto.randomUUID(),
    teamId: null,
    athleteIds: profiled(lineup).map(({ athleteId }) => athleteId),
    placeholderText: null,
    sourceMatchId: null,
    sourceOutcome: null,
    side: null,
    lane: null,
    bib: null,
    seed: null,
    bye: false,
    formation: null,
    staff: [],
    result: null,
    startsAt: '2026-11-21T10:00:00.000Z',
    published: true,
    type: 'TEAM',
    ...facts,
    lineup,
  };
}

const part = (facts: Partial<NonNullable<TypedEntry['result']>>): NonNullable<TypedEntry['result']> => ({
  participantId: 'p',
  outcome: null,
  rank: null,
  score: null,
  shootoutScore: null,
  periodScores: [],
  tieBreakScores: [],
  tries: null,
  forfeit: false,
  mark: null,
  splits: [],
  countback: [],
  reactionTimeMs: null,
  windMmPerS: null,
  invalidResultMark: null,
  bonusMs: null,
  penaltyMs: null,
  points: null,
  bonusPoints: [],
  qualified: null,
  vacated: false,
  ...facts,
});

const action = (type: MatchActionRow['type'], facts: Partial<MatchActionRow>): MatchActionRow => ({
  id: crypto.randomUUID(),
  accountId: 'a',
  version: 1,
  createdAt: '',
  updatedAt: '',
  published: true,
  matchId: 'm',
  type,
  period: null,
  clockMs: null,
  minute: null,
  addedMinute: null,
  participantId: null,
  athleteId: null,
  assistId: null,
  athleteName: null,
  assistName: null,
  scoreAfter: null,
  ...facts,
});

const football: PlayedMatch = {
  sport: 'FOOTBALL',
  discipline: null,
  ageGroup: 'SENIOR',
  duration: 'REGULAR',
  periods: 0,
  status: 'FINISHED',
  method: null,
};

describe('a participation', () => {
  const lineup = [player('keeper'), player('back'), player('forward'), player('joker', false), player('bench', false)];
  const home = entry({ teamId: 'home', lineup, result: part({ outcome: 'WIN', score: 2 }) });
  const away = entry({ teamId: 'away', lineup: [player('rival')], result: part({ outcome: 'LOSS', score: 1 }) });
  const actions = [
    action('GOAL', { athleteId: 'forward', assistId: 'back', minute: 10 }),
    action('GOAL', { athleteId: 'forward', minute: 50 }),
    action('SUBSTITUTION', { athleteId: 'joker', assistId: 'forward', minute: 70 }),
    action('RED_CARD', { athleteId: 'back', minute: 80 }),
    action('YELLOW_CARD', { athleteId: 'bench', minute: 85 }),
    action('GOAL', { athleteId: 'stranger', minute: 88 }),
  ];
  const minutes = (match: PlayedMatch, entries = [home, away], matchActions = actions) =>
    Object.fromEntries(participationsOf(match, entries, matchActions).map((each) => [each.athleteId, each.minutes]));

  test('contains minutes, actions, the outcome and the score of the other side; athletes outside the line-ups are left out', () => {
    const byAthlete = new Map(participationsOf(football, [home, away], actions).map((each) => [each.athleteId, each]));
    expect([...byAthlete.keys()]).toEqual(['keeper', 'back', 'forward', 'joker', 'bench', 'rival']);
    expect(byAthlete.get('keeper')).toMatchObject({
      teamId: 'home',
      inTeam: true,
      played: true,
      outcome: 'WIN',
      conceded: 1,
      actions: [],
    });
    expect(byAthlete.get('back')?.actions).toEqual([
      { type: 'GOAL', assist: true, count: 1 },
      { type: 'RED_CARD', assist: false, count: 1 },
    ]);
    expect(byAthlete.get('forward')?.actions).toContainEqual({ type: 'GOAL', assist: false, count: 2 });
    expect([byAthlete.get('joker')?.played, byAthlete.get('bench')?.played]).toEqual([true, false]);
    expect(minutes(football)).toEqual({ keeper: 90, back: 80, forward: 70, joker: 20, bench: 0, rival: 90 });
  });

  test('has minutes only where they are known', () => {
    expect(minutes({ ...football, duration: 'EXTRA_TIME' })).toMatchObject({ keeper: 120, joker: 50 });
    expect(minutes({ ...football, duration: 'PENALTY_SHOOTOUT' })).toMatchObject({ keeper: null });
    expect(minutes({ ...football, duration: 'PENALTY_SHOOTOUT', periods: 2 })).toMatchObject({ keeper: 90 });
    expect(minutes({ ...football, duration: 'PENALTY_SHOOTOUT', periods: 4 })).toMatchObject({ keeper: 120 });
    for (const unknown of [{ duration: null }, { ageGroup: 'U13' }, { discipline: 'FUTSAL' }, { sport: 'HANDBALL' }] as const)
      expect(minutes({ ...football, ...unknown })).toMatchObject({ keeper: null, rival: null });
    const untold = actions.filter(({ type }) => type !== 'SUBSTITUTION');
    expect(minutes(football, [home, away], untold)).toMatchObject({ keeper: null, joker: null, rival: 90 });
    const timeless = [action('SUBSTITUTION', { athleteId: 'joker', assistId: 'forward' })];
    expect(minutes(football, [home, away], timeless)).toMatchObject({ keeper: 90, joker: null, forward: null });
    const late = [action('SUBSTITUTION', { athleteId: 'joker', assistId: 'forward', minute: 90, addedMinute: 4 })];
    expect(minutes(football, [home, away], late)).toMatchObject({ joker: 1, forward: 90 });
  });

  test('has no play in a match that was not played', () => {
    const played = (match: PlayedMatch, entries = [home, away]) =>
      participationsOf(match, entries, []).map((each) => each.played);
    expect(new Set(played({ ...football, status: 'TIMED' }))).toEqual(new Set([false]));
    expect(new Set(played({ ...football, method: 'WALKOVER' }))).toEqual(new Set([false]));
    expect(new Set(played(football, [home, entry({ lineup: [player('rival')], result: part({ forfeit: true }) })]))).toEqual(
      new Set([false]),
    );
    expect(minutes({ ...football, method: 'WALKOVER' })).toMatchObject({ keeper: null });
  });

  test('has rank and mark for a single athlete, but not for members of a relay', () => {
    const mark = { value: 9_860, unit: 'ms' } as const;
    const sprint: PlayedMatch = { ...football, sport: 'ATHLETICS', ageGroup: null };
    const alone = entry({
      type: 'ATHLETE',
      athleteIds: ['runner'],
      result: part({ rank: 1, mark, reactionTimeMs: 140, points: 10 }),
    });
    const late = entry({ type: 'ATHLETE', athleteIds: ['absent'], result: part({ invalidResultMark: 'DNS' }) });
    const vacated = entry({ type: 'ATHLETE', athleteIds: ['gone'], result: part({ rank: 2, vacated: true }) });
    const relay = entry({ type: 'RELAY', athleteIds: ['one', 'two'], result: part({ rank: 3, mark }) });
    const byAthlete = participationsOf(sprint, [alone, late, vacated, relay], []);
    expect(byAthlete[0]).toMatchObject({
      inTeam: false,
      played: true,
      rank: 1,
      mark: 9_860,
      unit: 'ms',
      reactionTimeMs: 140,
      points: 10,
    });
    expect(byAthlete[0]).toMatchObject({ conceded: null, minutes: null });
    expect(byAthlete[1]).toMatchObject({ played: false });
    expect(byAthlete[2]).toMatchObject({ rank: null });
    expect(byAthlete[3]).toMatchObject({ athleteId: 'one', inTeam: true, played: true, rank: 3, mark: null, unit: null });
  });
});
