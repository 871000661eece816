/** Publishes replays, as the owner or as a moderator. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { lockForModeration, lockOwned } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AthletesById } from '../../clients/athlete-facts.ts';
import { lockMatch } from './insert.ts';
import { expiredViolation, replayModeration, replayTransitions, statusAt } from './rules.ts';
import { replayResource, type ReplayRow } from './rows.ts';
import { changeStatus, showsMinor } from './transitions.ts';

type ReplayPath = Pick<ReplayRow, 'id' | 'matchId'>;

/** Publishes as the owner. A replay that shows a minor waits for a moderator. The match is locked first, in the same order as its own publication. */
export async function publishAsOwner(
  transaction: WriteTransaction,
  viewer: Viewer,
  { id, matchId }: ReplayPath,
  athletes: AthletesById,
): Promise<ReplayRow> {
  const match = await lockMatch(transaction, matchId);
  const row = await lockOwned(transaction, replayResource, viewer, id);
  const status = nextState(replayTransitions, 'publish', statusAt(row), ['OWNER']);
  rejectInvalid([expiredViolation(row.expiresAt)]);
  const isHeld = showsMinor({ ...row, reviewedAthleteIds: [] }, athletes);
  const values = isHeld ? { status: 'REVIEW' as const } : { status, published: match?.published !== false };
  return changeStatus(transaction, row, 'publish', { ...values, reviewedAthleteIds: [] });
}

/** Publishes a replay in review as a moderator. */
export async function publishAsModerator(
  transaction: WriteTransaction,
  viewer: Viewer,
  { id, matchId }: ReplayPath,
): Promise<ReplayRow> {
  const match = await lockMatch(transaction, matchId);
  const row = await lockForModeration(transaction, replayResource, viewer, id);
  const status = nextState(replayModeration, 'publish', statusAt(row), ['MODERATOR']);
  const values = { status, published: match?.published !== false, reviewedAthleteIds: row.athleteIds };
  return changeStatus(transaction, row, 'publish', values);
}
