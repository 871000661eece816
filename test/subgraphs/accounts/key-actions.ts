/** Actions of administrators on keys and accounts, and reads of their results. */
import { sql } from '../../../platform/database/database.ts';
import type { TestArea } from './test-area.ts';

/** The actions on one test area. */
export function createKeyActions(area: TestArea) {
  const transition = (verb: string, id: string) =>
    area.run(`mutation ($id: ID!) { ${verb}ApiKey(id: $id) { id status } }`, { id });
  /** Returns the successor. Default grace period: one day. */
  const rotate = (id: string, graceSeconds?: number) =>
    area.run(
      `mutation ($id: ID!, $graceSeconds: Int! = 86400) { rotateApiKey(id: $id, graceSeconds: $graceSeconds) {
        key apiKey { id publicId version scopes allowedCidrs expiresAt quotaSubjectId plan { code } nextPlan { code } rotatedFrom { id rotatedTo { id } } } } }`,
      { id, ...(graceSeconds !== undefined && { graceSeconds }) },
    );
  const move = (id: string, plan: string, when = 'BY_PRICE') =>
    area.run(
      `mutation ($id: ID!, $plan: String!, $when: PlanChangeTime!) { moveApiKey(id: $id, plan: $plan, when: $when) {
        version plan { code version } nextPlan { code at } limits { perDay } } }`,
      { id, plan, when },
    );
  const transitionAccount = (verb: string, id: string) =>
    area.run(`mutation ($id: ID!) { ${verb}Account(id: $id) { id status version } }`, { id });
  /** Reads a key as an administrator. */
  const read = async (id: string) =>
    (
      await area.run(
        `query ($id: ID!) { apiKey(id: $id) { status version expiresAt revokedWhy plan { code } nextPlan { code at } account { id } rotatedTo { id } } }`,
        { id },
      )
    ).data.apiKey;
  /** Event types of a resource, by version. */
  const eventsOf = async (id: string): Promise<string[]> =>
    (
      await area.owner.query<{ type: string }>(
        sql`/* test.events */ select type from accounts.outbox where resource_id = ${id} order by version`,
      )
    ).map(({ type }) => type);
  /** The plan history of a key's lineage: whether each entry is open, and whether it starts at the end of the previous one. */
  const planHistoryOf = (id: string) =>
    area.owner.query<{ code: string; open: boolean; joined: boolean }>(sql`/* test.held */
      select h.plan_code as code, h.until is null as open,
        coalesce(h.since = lag(h.until) over (order by h.since), true) as joined
      from accounts.plan_held h join accounts.api_key k using (quota_subject_id) where k.id = ${id} order by h.since`);
  /** Sets a time of a key to now, so that it is due. */
  const makeDue = (column: 'next_plan_at' | 'expires_at', id: string) =>
    column === 'expires_at'
      ? area.owner.query(sql`/* test.pass */ update accounts.api_key set expires_at = now() where id = ${id}`)
      : area.owner.query(sql`/* test.pass */ update accounts.api_key set next_plan_at = now() where id = ${id}`);

  return { transition, rotate, move, transitionAccount, read, eventsOf, planHistoryOf, makeDue };
}
