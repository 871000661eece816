/** The ranking of a competition over the last 52 weeks, made from the results of its seasons when it is read. */
import { Problem } from '../../../schema/errors.ts';
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { MatchFact, ParticipantFact } from './facts.ts';
import { bestResultRows } from './points-rankings.ts';
import { comparePlaces } from './record.ts';
import { sportRules } from './rules-of.ts';
import type { CompetitionStore } from '../competitions/reads.ts';
import { listedPlace, type ListedPlace } from './page.ts';
import type { RollingRequest } from './filter.ts';

const weeks = 52;
const dayMs = 86_400_000;
/** The most results of one window. */
const resultsMax = 20_000;

/** Not before the first day that PostgreSQL and a `YYYY-MM-DD` both know. */
const daysBefore = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(`${day}T00:00:00Z`) - days * dayMs, Date.parse('0001-01-01T00:00:00Z')))
    .toISOString()
    .slice(0, 10);

interface Scored {
  readonly match: MatchFact;
  readonly participants: readonly ParticipantFact[];
}

/** Results with points of the window and of the week before it. */
function readScored(database: Queryable, competitionId: string, asOf: string): Promise<Scored[]> {
  const from = daysBefore(asOf, weeks * 7 + 8);
  return database.query<Scored>(sql`/* rankings.rolling */
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
 * All rows in order; null when there is no such competition that the viewer may see. Throws Problem parameter_invalid (400) for a competition
 * whose rules do not roll.
 */
export async function readRolling(
  database: Queryable,
  context: Context,
  competitions: CompetitionStore,
  { competitionId, asOf, live }: RollingRequest,
): Promise<ListedPlace[] | null> {
  const competition = await context.load(competitions.byId, competitionId);
  if (!competition) return null;
  const { viewer } = context;
  const rules = competition.rankingRules ?? sportRules(competition.sport, competition.discipline);
  if (rules.method !== 'ROLLING_52W') {
    const detail = 'The ranking of this competition does not roll over its seasons: name a seasonId of it.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'competitionId', code: 'does_not_roll', detail }] });
  }
  const isShown = competition.status !== 'DRAFT' || owns(viewer, competition.accountId) || hasFullAccess(viewer);
  const day = asOf ?? new Date().toISOString().slice(0, 10);
  const scored = isShown ? await readScored(database, competitionId, day) : [];
  if (scored.length > resultsMax)
    throw new Problem('query_too_complex', 'This competition has too many results to be ranked at once.');
  const participants = [...new Map(scored.flatMap((each) => each.participants.map((one) => [one.id, one]))).values()];
  const facts = { participants, matches: scored.map(({ match }) => match) };
  const options = { best: rules.best, weeks, asOf: day, previousAsOf: daysBefore(day, 7) };
  const head = { rankingId: competitionId, ordinal: 0, contestOrdinal: null, method: rules.method } as const;
  const of = { ...head, contestId: null, stageId: null, groupName: null, classification: null };
  return bestResultRows(facts, { live }, options)
    .toSorted(comparePlaces)
    .map((row) => listedPlace(of, row));
}
