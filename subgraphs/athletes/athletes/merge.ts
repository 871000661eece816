/** Two profiles of one person become one: what is of the second counts for the first, and its id leads there. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow, lockForModeration } from '../../../platform/writes/resource.ts';
import { updateRow } from '../../../platform/database/table.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { mergeViolations } from './merge-rules.ts';
import type { MutationMergeAthleteArgs } from '../resolvers.generated.ts';
import { athleteTransitions, removedStates } from './rules.ts';
import { isPublic } from './visibility.ts';
import { noteAthletes, type AthleteReads } from './reads.ts';
import { athleteResource, athletes, type AthleteRow } from './rows.ts';
import { removeFromLists, erasedProfile } from './erased-profile.ts';
import { updateTotals } from '../statistics/computed-statistics.ts';
import { getEffectiveScopes } from '../consents/effective-scopes.ts';

/** Both rows, locked in the order of their ids: two moderators at once wait for each other. */
async function lockBoth(transaction: WriteTransaction, { viewer }: Context, id: string, intoId: string) {
  const rows = new Map<string, AthleteRow>();
  for (const each of [id, intoId].toSorted()) rows.set(each, await lockForModeration(transaction, athleteResource, viewer, each));
  const [second, first] = [rows.get(id), rows.get(intoId)];
  if (!second || !first) throw new Problem('not_found', 'There is no such athlete.');
  return { second, first };
}

/** Who met in a match is two. */
async function refuseIfMet(transaction: WriteTransaction, second: AthleteRow, first: AthleteRow): Promise<void> {
  const [met] = await transaction.query(sql`/* athletes.metInMatch */ select from statistics mine
    where mine.athlete_id = ${second.id} and mine.scope = 'MATCH'
      and exists (select from statistics o where o.athlete_id = ${first.id} and o.scope = 'MATCH' and o.match_id = mine.match_id) limit 1`);
  rejectInvalid([
    !!met && { pointer: '/intoId', code: 'met_in_match', detail: 'The two took part in the same match: they are two.' },
  ]);
}

/** External ids stay those of the accounts that gave them; consents were given to an account, and count for no other. */
async function moveFacts(transaction: WriteTransaction, second: AthleteRow, first: AthleteRow): Promise<void> {
  await transaction.query(sql`/* athletes.moveExternalIds */ update external_id set resource_id = ${first.id}, registered = ${isPublic(first)}
    where resource_type = ${athleteResource.type} and resource_id = ${second.id}`);
  await transaction.query(
    sql`/* athletes.moveMemberships */ update membership set athlete_id = ${first.id} where athlete_id = ${second.id}`,
  );
  await transaction.query(
    sql`/* athletes.moveChain */ update athlete set merged_into = ${first.id} where merged_into = ${second.id}`,
  );
  if (second.accountId !== first.accountId) return;
  await transaction.query(
    sql`/* athletes.moveConsents */ update consent set athlete_id = ${first.id} where athlete_id = ${second.id}`,
  );
}

/**
 * Reported rows move where the first has none of their kind; those of matches move, and what they add up to is summed anew. Whoever saw a
 * row that goes, moves to another account or is hidden is told so.
 */
async function moveStatistics(transaction: WriteTransaction, second: AthleteRow, first: AthleteRow): Promise<void> {
  const hidden = isPublic(second) && !isPublic(first);
  await transaction.query(sql`/* statistics.leaveMerged */
    with gone as (delete from statistics s where s.athlete_id = ${second.id} and s.scope <> 'MATCH' and (s.source = 'COMPUTED' or exists (
        select from statistics o where o.athlete_id = ${first.id} and o.scope = s.scope and o.sport = s.sport and o.source = s.source
          and (o.season_id, o.competition_id, o.team_id, o.event_code) is not distinct from (s.season_id, s.competition_id, s.team_id, s.event_code)))
      returning id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, ${second.accountId}::uuid, ${isPublic(second)}, statement_timestamp() from gone
    on conflict (resource_type, resource_id) do update set public = excluded.public, at = excluded.at`);
  await transaction.query(sql`/* statistics.moveMerged */
    with moved as (update statistics set athlete_id = ${first.id}, account_id = ${first.accountId}, version = version + 1, updated_at = statement_timestamp()
      where athlete_id = ${second.id} returning id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, ${second.accountId}::uuid, ${hidden}, statement_timestamp() from moved
    where ${hidden || second.accountId !== first.accountId}
    on conflict (resource_type, resource_id) do update set account_id = excluded.account_id, public = excluded.public, at = excluded.at`);
  await updateTotals(transaction, [first.id]);
}

/** Leaves nothing of the second but the id, its state and where it leads. */
async function leaveShell(transaction: WriteTransaction, second: AthleteRow, values: Partial<AthleteRow>): Promise<void> {
  const left = { ...erasedProfile, displayName: 'Merged athlete', ...values };
  await transaction.query(updateRow(athletes, second, left, athleteResource.computed?.({ ...second, ...left })));
  await removeFromLists(transaction, [second.id]);
}

/** Makes the mutation that merges. Other areas follow by the event (their store/departed.ts). */
export function createAthleteMerge({ writer }: AreaServices, store: AthleteReads) {
  const reloading = replaysOf(store.moderated);

  /**
   * Throws Problem not_found (404), not_owner (403) for an athlete of the moderator's account, invalid_transition (409) for who is merged or
   * erased already, validation_failed (422) where they are two, or more would be seen of one than before.
   */
  return async function merge(context: Context, { id, input, idempotencyKey }: MutationMergeAthleteArgs): Promise<AthleteRow> {
    const { intoId, reason } = input;
    rejectInvalid([id === intoId && { pointer: '/intoId', code: 'same', detail: 'Name another athlete to merge with.' }]);
    const step = async (transaction: WriteTransaction): Promise<AthleteRow> => {
      const { second, first } = await lockBoth(transaction, context, id, intoId);
      const status = nextState(athleteTransitions, 'merge', second.status, ['MODERATOR']);
      if (removedStates.includes(first.status))
        throw new Problem('invalid_transition', `The other athlete is ${first.status} already.`, { allowedTransitions: [] });
      rejectInvalid(mergeViolations(second, first));
      await refuseIfMet(transaction, second, first);
      await leaveShell(transaction, second, { status, mergedInto: intoId });
      const merged = { action: 'merge', event: 'athlete.merged', data: { intoId, ...(reason ? { reason } : {}) } } as const;
      // told as a deletion: owners who synchronize get the tombstone
      transaction.record({ ...merged, before: second, after: null, publicBefore: athleteResource.isPublic(second) });
      await moveFacts(transaction, second, first);
      await moveStatistics(transaction, second, first);
      const consentScopes = await getEffectiveScopes(transaction, first);
      const took = { action: 'merged', event: 'athlete.updated', data: { mergedId: id } } as const;
      return changeRow(transaction, athleteResource, first, { consentScopes }, took);
    };
    const row = await writer.write(context, step, reloading(context, 'mergeAthlete', idempotencyKey, { id, input }));
    noteAthletes(context, [row]);
    return row;
  };
}
