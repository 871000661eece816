/** Rankings by the sum of the best results and by ratings: over a contest, a season, or the seasons of a competition. */
import { rankByBestResults, type BestResultsOptions, type PointsResult } from '../rankings/counting-results.ts';
import { eloRanking, type RatedMatch } from '../rankings/elo.ts';
import { ascending } from '../rankings/placing.ts';
import type { RankedPlace } from './rows.ts';
import { counts, dayOf, type MatchFact, type ParticipantFact, type View } from './facts.ts';

interface Competing {
  /** The same for all entries of one athlete or team. */
  readonly competitorOf: (participantId: string) => string;
  /** The entry that stands for a competitor. */
  readonly participantOf: (competitorId: string) => string;
}

/** An athlete or team is the same in every contest and season it is entered in; a pair or relay only in its own. */
function competing(participants: readonly ParticipantFact[]): Competing {
  const competitors = new Map(participants.map(({ id, athleteId, teamId }) => [id, athleteId ?? teamId ?? id]));
  const entries = new Map<string, string>();
  // the latest entry stands for all: ids grow with time
  for (const { id, athleteId, teamId } of participants.toSorted((one, other) => ascending(one.id, other.id)))
    entries.set(athleteId ?? teamId ?? id, id);
  return {
    competitorOf: (participantId) => competitors.get(participantId) ?? participantId,
    participantOf: (competitorId) => entries.get(competitorId) ?? competitorId,
  };
}

/** Of each result its points, where it has any. */
function pointsOf(matches: readonly MatchFact[], view: View, { competitorOf }: Competing): PointsResult[] {
  return matches
    .filter((match) => counts(match, view))
    .flatMap((match) =>
      match.entries.flatMap(({ participantId, part }) =>
        participantId === null || part?.points == null || part.vacated
          ? []
          : [{ resultId: match.id, competitorId: competitorOf(participantId), points: part.points, on: dayOf(match) }],
      ),
    );
}

/** The last day before the last one of these. */
function dayBefore(days: readonly string[]): string | undefined {
  const last = days.toSorted().at(-1) ?? '';
  return days
    .filter((day) => day < last)
    .toSorted()
    .at(-1);
}

interface Facts {
  readonly participants: readonly ParticipantFact[];
  readonly matches: readonly MatchFact[];
}

/** The sum of the best results; with `weeks` only of so many weeks until the day of `asOf`. */
export function bestResultRows(
  { participants, matches }: Facts,
  view: View,
  { best, weeks, asOf, previousAsOf }: Pick<BestResultsOptions, 'best' | 'weeks'> & { asOf?: string; previousAsOf?: string },
): RankedPlace[] {
  const who = competing(participants);
  const results = pointsOf(matches, view, who);
  const days = results.map(({ on }) => on);
  const before = previousAsOf ?? dayBefore(days);
  const ranked = rankByBestResults(results, {
    best,
    asOf: asOf ?? days.toSorted().at(-1) ?? '',
    ...(weeks === undefined ? {} : { weeks }),
    ...(before === undefined ? {} : { previousAsOf: before }),
  });
  return ranked.map(({ rank, shared, competitorId, points, countingResults, previousRank }) => ({
    position: rank,
    previousPosition: previousRank,
    shared,
    vacated: false,
    participantId: who.participantOf(competitorId),
    points,
    countingResults: countingResults.map((result) => ({
      matchId: result.resultId,
      points: result.points,
      from: result.on,
      dropsOn: result.dropsOn,
    })),
  }));
}

/** Ratings over all matches of two. */
export function eloRows({ participants, matches }: Facts, view: View, formula: { start: number; factor: number }): RankedPlace[] {
  const who = competing(participants);
  const counted = matches.filter((match) => counts(match, view));
  const rated = counted.flatMap((match): RatedMatch[] => {
    const [one, other] = match.entries;
    const outcome = one?.part?.outcome;
    if (match.entries.length !== 2 || one?.participantId == null || other?.participantId == null || !outcome) return [];
    const competitorIds = [who.competitorOf(one.participantId), who.competitorOf(other.participantId)] as const;
    return [{ matchId: match.id, at: new Date(match.startsAt), competitorIds, outcome }];
  });
  const last = counted.map(dayOf).toSorted().at(-1) ?? '';
  const earlier = counted.filter((match) => dayOf(match) < last).map(({ startsAt }) => startsAt);
  const before = earlier.toSorted().at(-1);
  const ranked = eloRanking(rated, { ...formula, ...(before === undefined ? {} : { previousAsOf: new Date(before) }) });
  return ranked.map(({ rank, shared, competitorId, rating, matchesPlayed, previousRank }) => ({
    position: rank,
    previousPosition: previousRank,
    shared,
    vacated: false,
    participantId: who.participantOf(competitorId),
    points: rating,
    matchesPlayed,
  }));
}
