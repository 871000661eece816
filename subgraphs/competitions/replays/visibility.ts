/** Which replays a viewer can read, for single rows and in SQL. */
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import type { ReplayFilter, ReplayStatus } from '../generated/resolvers.ts';
import { moderates, statusAt } from './rules.ts';
import type { ReplayRow } from './rows.ts';

const isNotExpired = sql`(replay.expires_at is null or replay.expires_at > now())`;

/** Replays that are public. The first condition alone selects the index. */
export const publicReplays = sql`replay.published and ${isNotExpired}`;

/** statusAt of rules.ts in SQL. */
const currentStatus = sql`case when replay.status in ('PUBLISHED', 'REVIEW') and not ${isNotExpired} then 'EXPIRED' else replay.status end`;

/** Conditions on the current status, and on the stored status, which selects the index. */
function statusConditions(statuses: readonly ReplayStatus[] | null | undefined): Sql[] {
  if (!statuses) return [];
  const stored = statuses.includes('EXPIRED') ? [...statuses, 'PUBLISHED', 'REVIEW'] : statuses;
  return [oneOf(sql`replay.status`, stored), sql`${currentStatus} = any(${[...statuses]})`];
}

/** Lists contain public replays, for moderators also replays in review, and with `mine` the viewer's own in any state. */
export function listConditions(viewer: Viewer, { mine, status }: ReplayFilter): Sql[] {
  if (mine) return [sql`replay.account_id = ${requireAccount(viewer)}`, ...statusConditions(status)];
  if (hasFullAccess(viewer)) return statusConditions(status);
  const includesPublic = !status || status.includes('PUBLISHED');
  const includesReview = moderates(viewer) && status?.includes('REVIEW');
  const inReview = sql`replay.status = 'REVIEW' and ${isNotExpired}`;
  if (includesPublic) return includesReview ? [sql`((${publicReplays}) or (${inReview}))`] : [publicReplays];
  return [includesReview ? inReview : sql`false`];
}

/** Whether a replay is public. */
const isPublic = (row: ReplayRow): boolean => row.published && statusAt(row) === 'PUBLISHED';

/** The functions through which replays leave the area. Public replays show no more than other viewers can read. */
export const administratorReads = createAdministratorReads<ReplayRow>('COMPETITIONS', (row) =>
  isPublic(row) ? [] : row.athleteIds,
);

/** Whether a viewer can read a replay by id. */
export function isReplayVisible(row: ReplayRow, viewer: Viewer): boolean {
  if (viewer.sport !== null && row.sport !== viewer.sport) return false;
  const isInReview = statusAt(row) === 'REVIEW';
  return isPublic(row) || owns(viewer, row.accountId) || hasFullAccess(viewer) || (isInReview && moderates(viewer));
}
