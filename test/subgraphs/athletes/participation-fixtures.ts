/** Match facts and participations as fixtures for statistics. */
import type { Sport } from '../../../schema/sports.ts';
import type { MatchFacts, Participation } from '../../../subgraphs/athletes/statistics/match-counting.ts';

/** A deterministic ID. */
export const id = (kind: number, number: number): string => `00000000-0000-4000-800${kind}-${String(number).padStart(12, '0')}`;
export const athletes = [1, 2, 3].map((number) => id(1, number));
/** An athlete without participations. */
export const inactiveAthlete = id(1, 9);

export const participation = (more: Partial<Participation> = {}): Participation => ({
  athleteId: athletes[0] ?? '',
  teamId: null,
  inTeam: false,
  played: true,
  minutes: null,
  outcome: null,
  rank: null,
  mark: null,
  unit: null,
  windMmPerS: null,
  reactionTimeMs: null,
  position: null,
  conceded: null,
  method: null,
  actions: [],
  ...more,
});

export const match = (sport: Sport, participations: readonly Participation[], more: Partial<MatchFacts> = {}): MatchFacts => ({
  id: id(2, 1),
  sport,
  seasonId: id(3, 1),
  competitionId: id(4, 1),
  eventCode: null,
  published: true,
  date: '2026-05-01',
  counts: true,
  scorersKnown: false,
  assistsKnown: false,
  participations,
  ...more,
});

/** An action count. */
export const actionCount = (type: string, count: number, assist = false) => ({ type, assist, count });
/** Values by key. */
export const valuesOf = (row: { metrics: readonly { key: string; value: number }[] } | undefined) =>
  Object.fromEntries(row?.metrics.map(({ key, value }) => [key, value]) ?? []);
