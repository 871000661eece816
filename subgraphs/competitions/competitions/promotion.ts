/** Promotion and relegation between competitions. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Sport } from '../generated/resolvers.ts';

/** Maximum number of competitions that promote to one. */
export const relegationsMax = 50;

interface Promoted {
  /** Null for a new competition. */
  readonly id: string | null;
  readonly accountId: string;
  readonly sport: Sport;
}

interface Target {
  /** Whether both competitions belong to the same account. */
  readonly isOwn: boolean;
  readonly sport: Sport;
  /** Whether the competition promotes, directly or over others, to the promoted one. */
  readonly isBelow: boolean;
  readonly feeders: number;
}

/** The violation for a competition that another one cannot promote to. Null without one. Throws Problem not_owner (403) for that of another account. */
export async function promotionViolation(
  queryable: Queryable,
  { id, accountId, sport }: Promoted,
  targetId: string | null | undefined,
): Promise<Violation | null> {
  if (!targetId) return null;
  const pointer = '/promotesToId';
  if (targetId === id)
    return { pointer, code: 'itself', detail: 'A competition cannot promote to itself. Set another competition.' };
  const [target] = await queryable.query<Target>(sql`/* competitions.promotion */
    with recursive above(id) as (
      select ${targetId}::uuid union select promotes_to_id from above join competition using (id) where promotes_to_id is not null
    )
    select sport, account_id = ${accountId} as "isOwn", ${id}::uuid in (select id from above) is true as "isBelow",
      (select count(*)::int from competition other where other.promotes_to_id = competition.id and other.id is distinct from ${id}::uuid) as feeders
    from competition where id = ${targetId} and (status <> 'DRAFT' or account_id = ${accountId})`);
  if (!target) return { pointer, code: 'unknown_competition', detail: 'There is no competition with this ID.' };
  if (!target.isOwn)
    throw new Problem('not_owner', 'A competition can only promote to a competition of your own account. Remove `promotesToId`.');
  if (target.sport !== sport)
    return { pointer, code: 'other_sport', detail: `The competition has the sport ${target.sport}, not ${sport}.` };
  if (target.isBelow)
    return { pointer, code: 'circular', detail: 'The competition itself promotes to this one. Remove that link first.' };
  if (target.feeders < relegationsMax) return null;
  return { pointer, code: 'too_many', detail: `Already ${relegationsMax} competitions promote to this one, the maximum.` };
}
