/** Short notation for the facts of a season: `A 2-1 B`, races as `{ A: 47.5, B: 'DNS' }`. */
import type { RankingFacts, MatchFact, StageFact } from '../../../../subgraphs/competitions/season-rankings/facts.ts';
import { rankingsOf } from '../../../../subgraphs/competitions/season-rankings/rankings-of.ts';
import type { View } from '../../../../subgraphs/competitions/season-rankings/facts.ts';
import type { RankedPlace, RankingRecord } from '../../../../subgraphs/competitions/season-rankings/rows.ts';
import type { ParticipantPart } from '../../../../subgraphs/competitions/results/rows.ts';
import type { InvalidResultMark, MarkUnit } from '../../../../subgraphs/competitions/generated/resolvers.ts';

export const part = (participantId: string, of: Partial<ParticipantPart> = {}): ParticipantPart => ({
  participantId,
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
  ...of,
});

export const stageFact = (id: string, type: StageFact['type'], of: Partial<StageFact> = {}): StageFact => ({
  id,
  contestId: 'contest',
  type,
  ordinal: 0,
  groups: [],
  advancement: [],
  carryOver: null,
  continuousPositions: false,
  rankingRules: null,
  ...of,
});

const matchFact = (id: string, stageId: string, of: Partial<MatchFact>): MatchFact => ({
  id,
  contestId: 'contest',
  stageId,
  groupName: null,
  matchday: null,
  date: null,
  startsAt: '2026-08-01T12:00:00.000Z',
  status: 'FINISHED',
  neutral: false,
  resultStatus: 'OFFICIAL',
  duration: 'REGULAR',
  entries: [],
  ...of,
});

/** `A 2-1 B`, or `A - B` for an open match. The first side is at home. */
export function game(id: string, line: string, of: Partial<MatchFact> = {}, stageId = 'stage'): MatchFact {
  const [home = '', score = '', away = ''] = line.split(' ');
  const scores = score === '-' ? null : score.split('-').map(Number);
  const entry = (participantId: string, index: 0 | 1) => ({
    participantId,
    side: index === 0 ? ('HOME' as const) : ('AWAY' as const),
    part: scores && part(participantId, { score: scores[index] ?? 0 }),
  });
  const open = scores ? {} : ({ status: 'TIMED', resultStatus: null } as const);
  return matchFact(id, stageId, { ...open, entries: [entry(home, 0), entry(away, 1)], ...of });
}

type Raced = number | InvalidResultMark | Partial<ParticipantPart>;

/** A race: marks in the unit, invalid marks, or complete results. */
export function race(
  id: string,
  stageId: string,
  raced: Readonly<Record<string, Raced>>,
  of: Partial<MatchFact> = {},
  unit: MarkUnit = 'ms',
): MatchFact {
  const entries = Object.entries(raced).map(([participantId, what]) => {
    const parts =
      typeof what === 'number' ? { mark: { value: what, unit } } : typeof what === 'string' ? { invalidResultMark: what } : what;
    return { participantId, side: null, part: part(participantId, parts) };
  });
  return matchFact(id, stageId, { entries, ...of });
}

export function facts(of: Partial<RankingFacts> & { readonly sport?: RankingFacts['season']['sport'] }): RankingFacts {
  const { sport = 'FOOTBALL', ...given } = of;
  const ids = new Set(
    (given.matches ?? []).flatMap(({ entries }) => entries.flatMap(({ participantId }) => participantId ?? [])),
  );
  return {
    season: { id: 'season', sport, discipline: null, rankingRules: null, endDate: '2027-05-30' },
    contests: [{ id: 'contest', eventCode: null }],
    stages: [stageFact('stage', 'LEAGUE')],
    participants: [...ids].map((id) => participant(id)),
    matches: [],
    adjustments: [],
    decisions: [],
    ...given,
  };
}

export const participant = (id: string, of: Partial<RankingFacts['participants'][number]> = {}) => ({
  id,
  contestId: null,
  type: 'TEAM' as const,
  teamId: null,
  athleteId: null,
  representsTeamId: null,
  groupName: null,
  division: null,
  entry: null,
  ...of,
});

/** The ranking with these members. */
export function ranking(of: RankingFacts, which: Partial<RankingRecord> = {}, view: View = {}): RankingRecord {
  const wanted = Object.entries({ type: 'TOTAL', ...which });
  const found = rankingsOf(of, view).filter((record) => {
    const members = new Map<string, unknown>(Object.entries(record));
    return wanted.every(([member, value]) => members.get(member) === value);
  });
  const [record] = found;
  if (!record || found.length > 1) throw new Error(`${found.length} rankings are ${JSON.stringify(which)}`);
  return record;
}

/** `1 A, 2= B, 2= C, - D` */
export const standing = (rows: readonly RankedPlace[]): string =>
  rows.map(({ position, shared, participantId }) => `${position ?? '-'}${shared ? '=' : ''} ${participantId}`).join(', ');
