/** Visibility of the answers in applications. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ApplicationRow } from './rows.ts';

/** Whether athletes are active now. Every read fetches it, so a withdrawn consent takes effect immediately. */
const areActive: BatchRead<string, boolean> = async (ids, context) => {
  const facts = await athletesById(context, ids);
  return ids.map((id) => facts.get(id)?.status === 'ACTIVE');
};

/** The applicant's answers. The other side can read them while the athlete is active: a minor's data requires consent. */
export async function visibleAnswers(context: Context, row: ApplicationRow): Promise<ApplicationRow['answers'] | null> {
  const { viewer } = context;
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row.answers;
  return row.athleteId !== null && (await context.load(areActive, row.athleteId)) ? row.answers : null;
}
