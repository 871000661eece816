/** Changes the facts of a replay. */
import type { ExternalId } from '../../../platform/writes/external-id.ts';
import { patchResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AthletesById } from '../../clients/athlete-facts.ts';
import { replayResource, type ReplayRow } from './rows.ts';
import { expireIfDue, replayEventData, reviewIfMinor } from './transitions.ts';

/** Patches a locked replay. Its rights may end before or after the change. A new recording that shows a minor is reviewed again. */
export async function patchReplay(
  transaction: WriteTransaction,
  before: ReplayRow,
  values: Partial<ReplayRow>,
  externalIds: readonly ExternalId[] | null | undefined,
  athletes: AthletesById,
): Promise<ReplayRow> {
  const row = await expireIfDue(transaction, before);
  const isNewRecording = values.url !== undefined && values.url !== row.url;
  const changes = isNewRecording ? { ...values, reviewedAthleteIds: [] } : values;
  const patched = await patchResource(transaction, replayResource, row, changes, externalIds, replayEventData(row));
  const after = await expireIfDue(transaction, patched);
  return isNewRecording ? reviewIfMinor(transaction, after, athletes) : after;
}
