/** Reads the match facts from which other areas compute statistics, in three statements for any number of matches. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { readActions } from '../match-actions/reads.ts';
import { matchParticipants } from '../match-participants/rows.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import type { MatchFacts, ResultStatus } from '../generated/resolvers.ts';
import { countingStatuses } from '../results/rows.ts';
import { recordedScorers } from './recorded-scorers.ts';
import { participationsOf, type PlayedMatch, type TypedEntry } from './participation.ts';

type Facts = MatchRow &
  Omit<PlayedMatch, 'periods' | 'status'> & {
    readonly eventCode: string | null;
    readonly resultStatus: ResultStatus | null;
    readonly resultVersion: number | null;
  };

/** Facts of matches in any state. Unknown IDs are left out. Results that do not count are left out, too. */
export async function readMatchFacts(database: Queryable, ids: readonly string[]): Promise<MatchFacts[]> {
  const [matches, entries, actions] = await Promise.all([
    database.query<Facts>(sql`/* matches.facts */ select ${matchResource.table.columns}, contest.event_code as "eventCode",
        competition.discipline, coalesce(contest.age_group, competition.age_group) as "ageGroup", result.status as "resultStatus",
        result.version as "resultVersion", result.duration, result.ended_by ->> 'method' as method
      from match join contest on contest.id = match.contest_id join competition on competition.id = match.competition_id
        left join result on result.match_id = match.id
      where match.id = any(${[...ids]}::uuid[])`),
    database.query<TypedEntry>(sql`/* matches.typedEntries */ select ${matchParticipants.columns}, participant.type
      from match_participant left join participant on participant.id = match_participant.participant_id
      where match_participant.match_id = any(${[...ids]}::uuid[]) order by match_participant.match_id, match_participant.ordinal`),
    readActions(database, ids),
  ]);
  const entriesOf = Map.groupBy(entries, ({ matchId }) => matchId);
  const actionsOf = Map.groupBy(actions, ({ matchId }) => matchId);
  return matches.map((match) => {
    const counts = match.resultStatus !== null && countingStatuses.includes(match.resultStatus);
    const own = (entriesOf.get(match.id) ?? []).map((entry) => (counts ? entry : { ...entry, result: null }));
    const periods = Math.max(0, ...own.map(({ result }) => result?.periodScores.length ?? 0));
    const done = actionsOf.get(match.id) ?? [];
    const sides = own.filter(({ bye }) => !bye).map((entry) => ({ ...entry, score: entry.result?.score ?? null }));
    const { duration, method } = counts ? match : { duration: null, method: null };
    return {
      ...match,
      version: match.version + (match.resultVersion ?? 0),
      counts,
      ...recordedScorers(match.sport, sides, done),
      participations: participationsOf({ ...match, duration, method, periods }, own, done),
    };
  });
}
