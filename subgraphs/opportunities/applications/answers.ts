/** Visibility of the answers in applications. */
import { hasFullAccess, owns } from '../../../schema/viewer.ts';
import { athletesById, type AthleteFacts } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ApplicationRow } from './rows.ts';

/** Facts of athletes now. Every read fetches them, so a withdrawn consent takes effect immediately. */
const factsOf: BatchRead<string, AthleteFacts | null> = async (ids, context) => {
  const facts = await athletesById(context, ids);
  return ids.map((id) => facts.get(id) ?? null);
};

/**
 * The applicant's answers. The other side can read them while the athlete is active: a minor's data requires consent. Administrators read them
 * in every application that they can read.
 */
export async function visibleAnswers(context: Context, row: ApplicationRow): Promise<ApplicationRow['answers'] | null> {
  const { viewer } = context;
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row.answers;
  const athlete = row.athleteId === null ? null : await context.load(factsOf, row.athleteId);
  return athlete?.status === 'ACTIVE' ? row.answers : null;
}
