/** Computes the ranking of a competition over the last 52 weeks from the results of its seasons. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { CompetitionReads } from '../competitions/reads.ts';
import { effectiveRules } from '../ranking-rules/rules.ts';
import type { MatchFact, ParticipantFact } from './facts.ts';
import type { RollingRequest } from './filter.ts';
import { listedPlace, type ListedPlace } from './page.ts';
import { bestResultRows } from './points-rankings.ts';
import { comparePlaces } from './record.ts';

const weeks = 52;
const dayMs = 86_400_000;
/** Maximum number of results in one window. */
const resultsMax = 20_000;

/** The earliest result is the first day that both PostgreSQL and `YYYY-MM-DD` can express. */
const daysBefore = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(`${day}T00:00:00Z`) - days * dayMs, Date.parse('0001-01-01T00:00:00Z')))
    .toISOString()
    .slice(0, 10);

interface ScoredMatch {
  readonly match: MatchFact;
  readonly participants: readonly ParticipantFact[];
}

/** Matches whose results have points, of the window and the week before it. */
function readScored(database: Queryable, competitionId: string, asOf: string): Promise<ScoredMatch[]> {
  const from = daysBefore(asOf, weeks * 7 + 8);
  return database.query<ScoredMatch>(sql`/* rankings.rolling */
    select json_build_object('id', match.id, 'date', match.date, 'startsAt', match.starts_at, 'matchday', null, 'resultStatus', result.status,
        'entries', json_agg(json_build_object('participantId', entry.participant_id, 'side', null, 'part', entry.result) order by entry.ordinal)) as match,
      json_agg(json_build_object('id', participant.id, 'contestId', participant.contest_id, 'type', participant.type,
        'teamId', participant.team_id, 'athleteId', participant.athlete_id)) as participants
    from match join result on result.match_id = match.id and result.status <> 'ANNULLED'
    join match_participant entry on entry.match_id = match.id and entry.result ->> 'points' is not null
    join participant on participant.id = entry.participant_id
    where match.competition_id = ${competitionId} and match.starts_at >= ${from}::date and match.starts_at < ${asOf}::date + 2
    group by match.id, result.status order by match.starts_at, match.id limit ${resultsMax + 1}`);
}

/**
 * All rows in order; null where the viewer cannot read the competition. Throws Problem parameter_invalid (400) for a competition that is not
 * ranked over its seasons.
 */
export async function readRolling(
  database: Queryable,
  context: Context,
  competitions: CompetitionReads,
  { competitionId, asOf, live }: RollingRequest,
): Promise<ListedPlace[] | null> {
  const competition = await context.load(competitions.byId, competitionId);
  if (!competition) return null;
  const rules = effectiveRules(competition);
  if (rules.method !== 'ROLLING_52W') {
    const detail = 'This competition is not ranked over its seasons. Set the `seasonId` of one of its seasons instead.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'competitionId', code: 'does_not_roll', detail }] });
  }
  const day = asOf ?? new Date().toISOString().slice(0, 10);
  const scored = await readScored(database, competitionId, day);
  if (scored.length > resultsMax)
    throw new Problem('query_too_complex', 'The competition has too many results to compute this ranking.');
  const participants = [...new Map(scored.flatMap((each) => each.participants.map((one) => [one.id, one]))).values()];
  const facts = { participants, matches: scored.map(({ match }) => match) };
  const options = { best: rules.best, weeks, asOf: day, previousAsOf: daysBefore(day, 7) };
  const head = { rankingId: competitionId, ordinal: 0, contestOrdinal: null, method: rules.method } as const;
  const scope = { ...head, seasonId: null, competitionId, contestId: null, stageId: null, groupName: null, classification: null };
  return bestResultRows(facts, { live }, options)
    .toSorted(comparePlaces)
    .map((row) => listedPlace(scope, row));
}
