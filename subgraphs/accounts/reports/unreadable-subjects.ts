/** The subjects of reports that an administrator cannot read because they concern a minor. */
import { readsMinors } from '../../../schema/viewer.ts';
import { unreadableSubjects } from '../../clients/administrator-reads.ts';
import { factsById } from '../../clients/facts-by-id.ts';
import { graphql } from '../../clients/graphql.ts';
import type { MinorAccessPart } from '../../clients/generated/graphql.ts';
import type { Context } from '../../runtime/subgraph.ts';

const query = graphql(`
  query replayAthletes($ids: [ID!]!) {
    replayAthletes(ids: $ids) {
      id
      athleteIds
      deleted
    }
  }
`);

/**
 * Like unreadableSubjects, also for replays: a replay concerns the athletes that it shows or showed. A deleted replay can have shown a minor.
 */
export async function unreadableReportSubjects(
  context: Pick<Context, 'graph' | 'viewer'>,
  ids: readonly string[],
  part: MinorAccessPart,
): Promise<ReadonlySet<string>> {
  const { graph, viewer } = context;
  if (viewer.kind !== 'ADMINISTRATOR') return new Set();
  const replays = [...(await factsById(graph, query, 'replayAthletes', ids)).values()];
  const unreadable = await unreadableSubjects(context, [...ids, ...replays.flatMap(({ athleteIds }) => athleteIds)], part);
  const isUnreadable = ({ athleteIds, deleted }: (typeof replays)[number]): boolean =>
    athleteIds.some((id) => unreadable.has(id)) || (deleted && !readsMinors(viewer));
  return new Set([...unreadable, ...replays.filter(isUnreadable).map(({ id }) => id)]);
}
