/** The reasons that moderators gave for decisions, from the history of an area. */
import { hasFullAccess, owns, type Viewer } from '../../schema/viewer.ts';
import { sql, type Queryable } from '../database/database.ts';

/** The latest reasons of each kind of decision about a resource. */
export interface ModerationReasons {
  readonly reject: string | null;
  readonly suspend: string | null;
}

interface Moderated {
  readonly accountId: string;
  readonly status: string;
  readonly verification: { readonly status: string };
}

const none: ModerationReasons = { reject: null, suspend: null };

/** The latest reasons by resource, in the order of the ids. */
export async function moderationReasonsOf(
  database: Queryable,
  resourceType: string,
  ids: readonly string[],
): Promise<ModerationReasons[]> {
  const rows = await database.query<{ id: string; action: keyof ModerationReasons; reason: string | null }>(
    sql`/* history.moderationReasons */ select distinct on (resource_id, action) resource_id as id, action, reason from history
      where resource_type = ${resourceType} and resource_id = any(${[...ids]}::uuid[]) and action in ('reject', 'suspend')
      order by resource_id, action, version desc`,
  );
  const byId = Map.groupBy(rows, ({ id }) => id);
  return ids.map((id) => ({
    ...none,
    ...Object.fromEntries((byId.get(id) ?? []).map(({ action, reason }) => [action, reason])),
  }));
}

/** The decision in force whose reason the viewer can read: of the suspension, otherwise of the rejection. Null without one. */
export function decisionInForce(viewer: Viewer, { accountId, status, verification }: Moderated): keyof ModerationReasons | null {
  if (!owns(viewer, accountId) && !hasFullAccess(viewer)) return null;
  if (status === 'SUSPENDED') return 'suspend';
  return verification.status === 'REJECTED' ? 'reject' : null;
}

interface Verification {
  readonly status: string;
  readonly method: string | null;
}

/** The verification as the viewer reads it. The method of a rejection is its reason, which only the owner and administrators read. */
export const visibleVerification = <Row extends Verification>(viewer: Viewer, accountId: string, verification: Row): Row =>
  verification.status !== 'REJECTED' || owns(viewer, accountId) || hasFullAccess(viewer)
    ? verification
    : { ...verification, method: null };
