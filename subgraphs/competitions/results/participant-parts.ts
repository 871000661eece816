/** The part of one participant in a result, from the input. */
import type { ParticipantResultInput } from '../generated/resolvers.ts';
import { attemptsOf } from './attempts.ts';
import { scorecardsOf } from './scorecards.ts';
import { statisticsOf } from './statistics.ts';
import type { ParticipantPart } from './rows.ts';

type ScoreMembers = 'score' | 'shootoutScore' | 'periodScores' | 'tieBreakScores' | 'tries' | 'forfeit';

const scoresOf = (given: ParticipantResultInput): Pick<ParticipantPart, ScoreMembers> => ({
  score: given.score ?? null,
  shootoutScore: given.shootoutScore ?? null,
  periodScores: given.periodScores ?? [],
  tieBreakScores: (given.tieBreakScores ?? []).map((points) => points ?? null),
  tries: given.tries ?? null,
  forfeit: given.forfeit ?? false,
});

type PerformanceMembers = 'splits' | 'countback' | 'reactionTimeMs' | 'windMmPerS' | 'invalidResultMark';

const performanceOf = (given: ParticipantResultInput): Pick<ParticipantPart, PerformanceMembers> => ({
  splits: given.splits ?? [],
  countback: given.countback ?? [],
  reactionTimeMs: given.reactionTimeMs ?? null,
  windMmPerS: given.windMmPerS ?? null,
  invalidResultMark: given.invalidResultMark ?? null,
});

/** The stored part of a participant. `mark` is the mark in the canonical unit. */
export function partOf(given: ParticipantResultInput, mark: ParticipantPart['mark']): ParticipantPart {
  return {
    participantId: given.participantId,
    outcome: given.outcome ?? null,
    rank: given.rank ?? null,
    ...scoresOf(given),
    mark,
    ...performanceOf(given),
    ...attemptsOf(given),
    ...scorecardsOf(given),
    ...statisticsOf(given),
    bonusMs: given.bonusMs ?? null,
    penaltyMs: given.penaltyMs ?? null,
    points: given.points ?? null,
    bonusPoints: (given.bonusPoints ?? []).map(({ type, points }) => ({ type, points })),
    qualified: given.qualified ?? null,
    vacated: given.vacated ?? false,
  };
}
