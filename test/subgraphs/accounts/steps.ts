/** Steps in the life of keys and accounts, as an administrator takes them, and what is seen of them. */
import { sql } from '../../../platform/database/database.ts';
import type { World } from './world.ts';

/** The steps over one world. */
export function stepsOf(platform: World) {
  const take = (verb: string, id: string) => platform.ask(`mutation ($id: ID!) { ${verb}ApiKey(id: $id) { id status } }`, { id });
  /** Answers the successor; the grace is a day when absent. */
  const rotate = (id: string, graceSeconds?: number) =>
    platform.ask(
      `mutation ($id: ID!, $graceSeconds: Int! = 86400) { rotateApiKey(id: $id, graceSeconds: $graceSeconds) {
        key apiKey { id publicId version scopes allowedCidrs expiresAt quotaSubjectId plan { code } nextPlan { code } rotatedFrom { id rotatedTo { id } } } } }`,
      { id, ...(graceSeconds !== undefined && { graceSeconds }) },
    );
  const move = (id: string, plan: string, when = 'BY_PRICE') =>
    platform.ask(
      `mutation ($id: ID!, $plan: String!, $when: PlanChangeTime!) { moveApiKey(id: $id, plan: $plan, when: $when) {
        version plan { code version } nextPlan { code at } limits { perDay } } }`,
      { id, plan, when },
    );
  const turn = (verb: string, id: string) =>
    platform.ask(`mutation ($id: ID!) { ${verb}Account(id: $id) { id status version } }`, { id });
  /** What an administrator sees of a key. */
  const shown = async (id: string) =>
    (
      await platform.ask(
        `query ($id: ID!) { apiKey(id: $id) { status version expiresAt revokedWhy plan { code } nextPlan { code at } account { id } rotatedTo { id } } }`,
        { id },
      )
    ).data.apiKey;
  /** Types of the events of a resource, in the order of its versions. */
  const eventsOf = async (id: string): Promise<string[]> =>
    (
      await platform.owner.query<{ type: string }>(
        sql`/* test.events */ select type from accounts.outbox where resource_id = ${id} order by version`,
      )
    ).map(({ type }) => type);
  /** The plans that the lineage of a key held: whether the last is open, and whether each began when the one before ended. */
  const heldOf = (id: string) =>
    platform.owner.query<{ code: string; open: boolean; joined: boolean }>(sql`/* test.held */
      select h.plan_code as code, h.until is null as open,
        coalesce(h.since = lag(h.until) over (order by h.since), true) as joined
      from accounts.plan_held h join accounts.api_key k using (quota_subject_id) where k.id = ${id} order by h.since`);
  /** Puts a moment that a key waits for into the past. */
  const pass = (column: 'next_plan_at' | 'expires_at', id: string) =>
    column === 'expires_at'
      ? platform.owner.query(sql`/* test.pass */ update accounts.api_key set expires_at = now() where id = ${id}`)
      : platform.owner.query(sql`/* test.pass */ update accounts.api_key set next_plan_at = now() where id = ${id}`);

  return { take, rotate, move, turn, shown, eventsOf, heldOf, pass };
}
