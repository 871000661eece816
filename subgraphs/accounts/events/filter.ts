/** Conditions of the event feed: the filter of a request, and what a viewer may read. */
import { Problem } from '../../../schema/errors.ts';
import { events } from '../../../schema/events.ts';
import { suggestionFor, truncated } from '../../../schema/violations.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import type { EventFilter } from '../generated/resolvers.ts';
import { withoutPrivateTypes } from './minors.ts';

/** Throws Problem parameter_invalid for unknown types. */
function requireKnownTypes(types: readonly string[]): void {
  const errors = types
    .filter((type) => !Object.hasOwn(events, type))
    .map((type) => ({
      parameter: 'type',
      code: 'unknown_value',
      detail: `There is no event type \`${truncated(type)}\`${suggestionFor(type, Object.keys(events)) || '.'}`,
    }));
  const [first] = errors;
  if (first !== undefined) throw new Problem('parameter_invalid', `${first.detail} GET /event-types lists all.`, { errors });
}

/** The conditions of a filter. */
export function conditionsOf(filter: EventFilter): Sql[] {
  const { type, area, sport, competitionId, organizationId, resourceId, since } = filter;
  if (type) requireKnownTypes(type);
  const where: Sql[] = [];
  if (type) where.push(sql`type = any(${[...type]})`);
  if (area) where.push(sql`area = any(${area.map((each) => each.toLowerCase())})`);
  if (sport) where.push(sql`sports && ${[...sport]}::text[]`);
  if (competitionId) where.push(oneOf(sql`competition_id`, competitionId));
  if (organizationId) where.push(oneOf(sql`organization_id`, organizationId));
  if (resourceId) where.push(sql`(${oneOf(sql`resource_id`, resourceId)} or ${oneOf(sql`subject_id`, resourceId)})`);
  if (since) where.push(sql`at >= ${since}::timestamptz`);
  return where;
}

/** Whether the row `e` of an event belongs to a resource of an account. */
export const isOfAccount = (accountId: Sql): Sql => sql`e.account_id = ${accountId}`;

/** Whether the row `e` of an event names an account as the other side. */
export const isForAccount = (accountId: Sql): Sql => sql`e.audience @> array[${accountId}::uuid]`;

/** Whether the row `e` of an event can be readable for an account: it names the account, or has a subject. */
export const concernsAccount = (accountId: Sql): Sql =>
  sql`(${isOfAccount(accountId)} or ${isForAccount(accountId)} or e.subject_id is not null)`;

/**
 * The events that a viewer may read, without looking at their subjects: all of administrators that read minors; of an account those that name it, and those
 * that have a subject. At the host of a sport, the events of that sport and of resources without one.
 */
export function mayRead(viewer: Viewer): Sql[] {
  const where: Sql[] = [];
  if (viewer.sport !== null) where.push(sql`(sports = '{}' or sports @> ${[viewer.sport]}::text[])`);
  if (hasFullAccess(viewer)) return [...where, ...withoutPrivateTypes(viewer)];
  const accountId = requireAccount(viewer);
  where.push(concernsAccount(sql`${accountId}`));
  return where;
}

/** Whether an event names the account of the viewer, or the viewer reads all events. */
export const isNamed = (
  viewer: Viewer,
  { accountId, audience }: { accountId: string | null; audience: readonly string[] },
): boolean =>
  hasFullAccess(viewer) || (viewer.accountId !== null && (viewer.accountId === accountId || audience.includes(viewer.accountId)));
