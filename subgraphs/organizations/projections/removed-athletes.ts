/** Destroys the memberships and transfers of erased athletes and moves those of merged duplicates. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { applyRemovals } from '../../clients/removed-athletes.ts';
import { membershipResource, memberships, type MembershipRow } from '../memberships/rows.ts';
import { destroyTransfers, moveTransfers } from '../transfers/removed-athletes.ts';

function lockOfAthletes(transaction: Queryable, athleteIds: readonly string[]): Promise<MembershipRow[]> {
  return transaction.query<MembershipRow>(sql`/* memberships.lockOfAthletes */ select ${memberships.columns} from membership
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

async function destroy(transaction: Queryable, writer: Writer, athleteIds: readonly string[]): Promise<void> {
  const rows = await lockOfAthletes(transaction, athleteIds);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await removeRow(work, membershipResource, row);
  });
  await eraseTraces(
    transaction,
    membershipResource.type,
    rows.map(({ id }) => id),
  );
}

/** Memberships of a duplicate that repeat or contradict one of the target profile in the same period. */
async function findConflicts(transaction: Queryable, id: string, intoId: string): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ id: string }>(sql`/* memberships.mergeConflicts */ select m.id from membership m
    where m.athlete_id = ${id} and exists (select from membership o where o.athlete_id = ${intoId} and o.sport is not distinct from m.sport and o.type = m.type and (
      (m.type = 'PERMANENT' and m.status in ('ACTIVE', 'ON_LOAN', 'ENDED') and o.status in ('ACTIVE', 'ON_LOAN', 'ENDED')
        and daterange(m.start_date, m.end_date, '[]') && daterange(o.start_date, o.end_date, '[]'))
      or ((o.organization_id, o.team_id, o.start_date, o.status) is not distinct from (m.organization_id, m.team_id, m.start_date, m.status))
      or (m.status in ('INVITED', 'REQUESTED') and o.status in ('INVITED', 'REQUESTED')
        and (o.organization_id, o.team_id, o.start_date) is not distinct from (m.organization_id, m.team_id, m.start_date))))`);
  return new Set(rows.map((row) => row.id));
}

/** Moves the memberships of a duplicate to the target profile, and deletes those that conflict with its own. */
async function move(transaction: Queryable, writer: Writer, id: string, intoId: string, accountId: string): Promise<void> {
  const rows = await lockOfAthletes(transaction, [id]);
  if (rows.length === 0) return;
  const conflicts = await findConflicts(transaction, id, intoId);
  const note = { action: 'merged', event: 'membership.updated', data: { athleteId: intoId } } as const;
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) {
      if (conflicts.has(row.id)) await removeRow(work, membershipResource, row);
      else await changeRow(work, membershipResource, row, { athleteId: intoId, personAccountId: accountId }, note);
    }
  });
}

/** Applies the current removals among the athletes. The caller has locked the organizations of their memberships, or none. */
export function applyRemovedAthletes(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  athleteIds: readonly string[],
): Promise<void> {
  return applyRemovals(graph, athleteIds, {
    async erase(ids) {
      await destroy(transaction, writer, ids);
      await destroyTransfers(transaction, writer, ids);
    },
    async merge({ id, intoId, accountId }) {
      await move(transaction, writer, id, intoId, accountId);
      await moveTransfers(transaction, writer, id, intoId, accountId);
    },
  });
}
