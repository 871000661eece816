/** Rankings by the sum of the best results, and by rating: over a contest, a season, or the seasons of a competition. */
import { rankByBestResults, type BestResultsOptions, type PointsResult } from '../rankings/counting-results.ts';
import { eloRanking, type RatedMatch } from '../rankings/elo.ts';
import { ascending } from '../rankings/placing.ts';
import { counts, dayOf, type MatchFact, type ParticipantFact, type View } from './facts.ts';
import type { RankedPlace } from './rows.ts';

interface Competitors {
  /** The same ID for all entries of an athlete or team. Null where the entry does not count. */
  readonly competitorOf: (participantId: string) => string | null;
  /** The entry that represents a competitor in the ranking. */
  readonly participantOf: (competitorId: string) => string;
}

/** An athlete or team is the same competitor in every contest and season. A pair or relay is a competitor in its own contest only. */
function competitorsOf(participants: readonly ParticipantFact[]): Competitors {
  const competitors = new Map(participants.map(({ id, athleteId, teamId }) => [id, athleteId ?? teamId ?? id]));
  const entries = new Map<string, string>();
  // The latest entry represents all: ids grow with time.
  for (const { id, athleteId, teamId } of participants.toSorted((one, other) => ascending(one.id, other.id)))
    entries.set(athleteId ?? teamId ?? id, id);
  return {
    competitorOf: (participantId) => competitors.get(participantId) ?? participantId,
    participantOf: (competitorId) => entries.get(competitorId) ?? competitorId,
  };
}

/** Each competitor is the team that a participant is or represents. Results of other teams do not count. */
function teamsOf(participants: readonly ParticipantFact[]): Competitors {
  const entries = new Map(participants.flatMap(({ id, teamId }) => (teamId === null ? [] : [[teamId, id] as const])));
  const teams = new Map(participants.map(({ id, teamId, representsTeamId }) => [id, teamId ?? representsTeamId]));
  return {
    competitorOf: (participantId) => {
      const team = teams.get(participantId) ?? null;
      return team !== null && entries.has(team) ? team : null;
    },
    participantOf: (competitorId) => entries.get(competitorId) ?? competitorId,
  };
}

/** The points of each result that has points. */
function pointsOf(matches: readonly MatchFact[], view: View, { competitorOf }: Competitors): PointsResult[] {
  return matches
    .filter((match) => counts(match, view))
    .flatMap((match) =>
      match.entries.flatMap(({ participantId, part }) =>
        participantId === null || part?.points == null || part.vacated
          ? []
          : [{ resultId: match.id, competitorId: competitorOf(participantId), points: part.points, on: dayOf(match) }],
      ),
    )
    .flatMap(({ competitorId, ...result }) => (competitorId === null ? [] : [{ ...result, competitorId }]));
}

/** The second-to-last day; undefined with fewer than two. */
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

interface BestResults extends Pick<BestResultsOptions, 'best' | 'weeks'> {
  readonly asOf?: string;
  readonly previousAsOf?: string;
  readonly pointsOf?: 'PARTICIPANTS' | 'TEAMS';
}

/** Rows by the sum of the best results; with `weeks`, of the results in that many weeks before `asOf`. */
export function bestResultRows(
  { participants, matches }: Facts,
  view: View,
  { best, weeks, asOf, previousAsOf, pointsOf: whose }: BestResults,
): RankedPlace[] {
  const competitors = whose === 'TEAMS' ? teamsOf(participants) : competitorsOf(participants);
  const results = pointsOf(matches, view, competitors);
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
    participantId: competitors.participantOf(competitorId),
    points,
    countingResults: countingResults.map((result) => ({
      matchId: result.resultId,
      points: result.points,
      from: result.on,
      dropsOn: result.dropsOn,
    })),
  }));
}

/** Rows by Elo rating over all matches of two sides. */
export function eloRows({ participants, matches }: Facts, view: View, formula: { start: number; factor: number }): RankedPlace[] {
  const competitors = competitorsOf(participants);
  const counted = matches.filter((match) => counts(match, view));
  const rated = counted.flatMap((match): RatedMatch[] => {
    const [one, other] = match.entries;
    const outcome = one?.part?.outcome;
    if (match.entries.length !== 2 || one?.participantId == null || other?.participantId == null || !outcome) return [];
    const ids = [one.participantId, other.participantId].map((id) => competitors.competitorOf(id));
    const [first = null, second = null] = ids;
    if (first === null || second === null) return [];
    return [{ matchId: match.id, at: new Date(match.startsAt), competitorIds: [first, second], outcome }];
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
    participantId: competitors.participantOf(competitorId),
    points: rating,
    matchesPlayed,
  }));
}
