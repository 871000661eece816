/** Merges a duplicate profile into the target profile of the same person. The id of the duplicate redirects to the target. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import { updateRow } from '../../../platform/database/table.ts';
import { changeRow, lockForModeration } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { moveAbsences } from '../absences/merged-athletes.ts';
import { getEffectiveScopes } from '../consents/effective-scopes.ts';
import type { MergeAthleteInput, MutationMergeAthleteArgs } from '../generated/resolvers.ts';
import { updateTotals } from '../statistics/computed-statistics.ts';
import { removeFromLists } from './erasure.ts';
import { mergeViolations } from './merge-rules.ts';
import { keepContracts } from './contracts.ts';
import type { AthleteReads } from './reads.ts';
import { athleteResource, athletes, erasedProfile, type AthleteRow } from './rows.ts';
import { athleteTransitions, removedStates } from './rules.ts';
import { isPublic } from './visibility.ts';
import { writeAthlete } from './writes.ts';

/** Locks both rows in the order of their ids, so that concurrent merges cannot deadlock. */
async function lockBoth(transaction: WriteTransaction, { viewer }: Context, id: string, intoId: string) {
  const rows = new Map<string, AthleteRow>();
  for (const each of [id, intoId].toSorted()) rows.set(each, await lockForModeration(transaction, athleteResource, viewer, each));
  const [duplicate, target] = [rows.get(id), rows.get(intoId)];
  if (!duplicate || !target) throw new Problem('not_found', 'One of the athletes does not exist.');
  return { duplicate, target };
}

/** Throws Problem validation_failed (422) for profiles that took part in the same match: they are two persons. */
async function rejectOpponents(transaction: WriteTransaction, duplicate: AthleteRow, target: AthleteRow): Promise<void> {
  const [shared] = await transaction.query(sql`/* athletes.sharedMatch */ select from statistics mine
    where mine.athlete_id = ${duplicate.id} and mine.scope = 'MATCH'
      and exists (select from statistics o where o.athlete_id = ${target.id} and o.scope = 'MATCH' and o.match_id = mine.match_id) limit 1`);
  rejectInvalid([
    !!shared && {
      pointer: '/intoId',
      code: 'met_in_match',
      detail: 'Both profiles took part in the same match, so they are different persons.',
    },
  ]);
}

/** Moves related rows. External ids stay with the accounts that gave them. Consents move only within one account, as they were given to it. */
async function moveRelated(transaction: WriteTransaction, duplicate: AthleteRow, target: AthleteRow): Promise<void> {
  await transaction.query(sql`/* athletes.moveExternalIds */ update external_id set resource_id = ${target.id}, registered = ${isPublic(target)}
    where resource_type = ${athleteResource.type} and resource_id = ${duplicate.id}`);
  await transaction.query(
    sql`/* athletes.moveMemberships */ update membership set athlete_id = ${target.id} where athlete_id = ${duplicate.id}`,
  );
  await keepContracts(transaction, [target.id, duplicate.id]);
  await transaction.query(
    sql`/* athletes.moveDuplicates */ update athlete set merged_into = ${target.id} where merged_into = ${duplicate.id}`,
  );
  if (duplicate.accountId !== target.accountId) return;
  await transaction.query(
    sql`/* athletes.moveConsents */ update consent set athlete_id = ${target.id} where athlete_id = ${duplicate.id}`,
  );
}

/**
 * Moves reported rows that the target does not have, and the rows of matches, and recomputes the totals. Rows that are deleted, hidden or
 * moved to another account leave tombstones.
 */
async function moveStatistics(transaction: WriteTransaction, duplicate: AthleteRow, target: AthleteRow): Promise<void> {
  const isHidden = isPublic(duplicate) && !isPublic(target);
  await transaction.query(sql`/* statistics.deleteDuplicates */
    with removed as (delete from statistics s where s.athlete_id = ${duplicate.id} and s.scope <> 'MATCH' and (s.source = 'COMPUTED' or exists (
        select from statistics o where o.athlete_id = ${target.id} and o.scope = s.scope and o.sport = s.sport and o.source = s.source
          and (o.season_id, o.competition_id, o.team_id, o.event_code) is not distinct from (s.season_id, s.competition_id, s.team_id, s.event_code)))
      returning id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, ${duplicate.accountId}::uuid, ${isPublic(duplicate)}, statement_timestamp() from removed
    on conflict (resource_type, resource_id) do update set public = excluded.public, at = excluded.at`);
  await transaction.query(sql`/* statistics.moveMerged */
    with moved as (update statistics set athlete_id = ${target.id}, account_id = ${target.accountId}, version = version + 1, updated_at = statement_timestamp()
      where athlete_id = ${duplicate.id} returning id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, ${duplicate.accountId}::uuid, ${isHidden}, statement_timestamp() from moved
    where ${isHidden || duplicate.accountId !== target.accountId}
    on conflict (resource_type, resource_id) do update set account_id = excluded.account_id, public = excluded.public, at = excluded.at`);
  await updateTotals(transaction, [target.id]);
}

/** Removes everything of the duplicate except its id, its status and the id of the target. */
async function emptyDuplicate(transaction: WriteTransaction, duplicate: AthleteRow, values: Partial<AthleteRow>): Promise<void> {
  const remaining = { ...erasedProfile, displayName: 'Merged athlete', ...values };
  await transaction.query(updateRow(athletes, duplicate, remaining, athleteResource.computed?.({ ...duplicate, ...remaining })));
  await removeFromLists(transaction, [duplicate.id]);
}

async function mergeInto(
  transaction: WriteTransaction,
  context: Context,
  id: string,
  { intoId, reason }: MergeAthleteInput,
): Promise<AthleteRow> {
  const { duplicate, target } = await lockBoth(transaction, context, id, intoId);
  const status = nextState(athleteTransitions, 'merge', duplicate.status, ['MODERATOR']);
  if (removedStates.includes(target.status))
    throw new Problem('invalid_transition', `The target profile is ${target.status}.`, { allowedTransitions: [] });
  rejectInvalid(mergeViolations(duplicate, target));
  await rejectOpponents(transaction, duplicate, target);
  await emptyDuplicate(transaction, duplicate, { status, mergedInto: intoId });
  const removal = { action: 'merge', event: 'athlete.merged', data: { intoId, ...(reason ? { reason } : {}) } } as const;
  // recorded as a deletion, so that owners who synchronize receive the tombstone
  transaction.record({ ...removal, before: duplicate, after: null, publicBefore: athleteResource.isPublic(duplicate) });
  await moveRelated(transaction, duplicate, target);
  await moveStatistics(transaction, duplicate, target);
  await moveAbsences(transaction, duplicate, target);
  const consentScopes = await getEffectiveScopes(transaction, target);
  const note = { action: 'merged', event: 'athlete.updated', data: { mergedId: id } } as const;
  return changeRow(transaction, athleteResource, target, { consentScopes }, note);
}

/** Creates the mutation that merges two profiles. Other areas follow by the event `athlete.merged`. */
export function createAthleteMerge(services: AreaServices, reads: AthleteReads) {
  const replay = replaysOf(reads.byIdForModeration);

  /**
   * Throws Problem not_found (404), not_owner (403) for an athlete of the moderator's account, invalid_transition (409) for a merged or
   * erased athlete, and validation_failed (422) for different persons, or when the merge would publish more of the duplicate.
   */
  return async function merge(context: Context, { id, input, idempotencyKey }: MutationMergeAthleteArgs): Promise<AthleteRow> {
    rejectInvalid([
      id === input.intoId && { pointer: '/intoId', code: 'same', detail: '`intoId` must be the id of another athlete.' },
    ]);
    const work = (transaction: WriteTransaction) => mergeInto(transaction, context, id, input);
    return writeAthlete(services, context, work, replay(context, 'mergeAthlete', idempotencyKey, { id, input }));
  };
}
