/** Mutations of scouting reports. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { insertResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { graphql } from '../../clients/graphql.ts';
import { visibleAthlete } from '../../clients/visible-athletes.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { MutationAddScoutingReportArgs } from '../generated/resolvers.ts';
import type { ShortlistEntryReads } from '../shortlist-entries/reads.ts';
import { lockEntry, requireVisible } from '../shortlist-entries/writes.ts';
import type { ScoutingReportReads } from './reads.ts';
import { observationViolations, reportViolations, type ObservedMatch } from './rules.ts';
import { reportResource, type ScoutingReportRow } from './rows.ts';
import { toldIn } from './values.ts';

const matchQuery = graphql(`
  query scoutedMatch($id: ID!) {
    match(id: $id) {
      id
      sport
    }
  }
`);

async function findMatch({ graph }: Context, id: string | null | undefined): Promise<ObservedMatch> {
  return id ? ((await graph(matchQuery, { id })).match ?? undefined) : null;
}

export function createScoutingReportWrites({ writer }: AreaServices, entries: ShortlistEntryReads, reports: ScoutingReportReads) {
  const replay = replaysOf(reports.byId);

  /** Throws Problem not_found (404), validation_failed (422), and conflict (409) for a hidden athlete. */
  async function add(context: Context, args: MutationAddScoutingReportArgs): Promise<ScoutingReportRow> {
    const { shortlistId, entryId, input, idempotencyKey } = args;
    const entry = await entries.one(context, shortlistId, entryId);
    const [athlete, match] = await Promise.all([
      visibleAthlete(context, entry?.athleteId),
      findMatch(context, entry && input.matchId),
    ]);
    const work = async (transaction: WriteTransaction): Promise<ScoutingReportRow> => {
      const row = await lockEntry(transaction, context.viewer, shortlistId, entryId);
      requireVisible(row, athlete);
      const { date, matchId, ratings, recommendation } = input;
      rejectInvalid([...observationViolations(input, athlete, match), ...reportViolations(input)]);
      const observed = { date, matchId: matchId ?? null, ratings, recommendation };
      const values = { accountId: row.accountId, entryId, ...observed, ...toldIn(input) };
      return insertResource(transaction, reportResource, values, null, { shortlistId, entryId });
    };
    return writer.write(context, work, replay(context, 'addScoutingReport', idempotencyKey, { shortlistId, entryId, input }));
  }

  return { add };
}
