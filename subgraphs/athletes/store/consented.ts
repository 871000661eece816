/** The consents in force of an athlete: they count while their account holds a verified organization (domain.md section 4). */
import { sql, type Queryable } from '../../../platform/database.ts';
import { changeRow } from '../../../platform/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/write.ts';
import type { ConsentScope } from '../resolvers.generated.ts';
import { departedStates } from '../rules.ts';
import { holdsVerifiedOrganization } from './adulthood.ts';
import { athleteResource, athletes, type AthleteRow } from './athlete-row.ts';

/** The scopes that guardians of an athlete have consented to and not withdrawn, in their order. */
async function givenScopes(transaction: Queryable, athleteId: string): Promise<ConsentScope[]> {
  const rows = await transaction.query<{ scope: ConsentScope }>(sql`/* consents.scopes */
    select distinct unnest(scopes) as scope from consent where athlete_id = ${athleteId} and withdrawn_at is null order by scope`);
  return rows.map(({ scope }) => scope);
}

/** The scopes in force, counted anew: who takes the account's verification away waits, and then finds the athlete. */
export async function scopesInForce(
  transaction: Queryable,
  { id, accountId }: Pick<AthleteRow, 'id' | 'accountId'>,
): Promise<ConsentScope[]> {
  const scopes = await givenScopes(transaction, id);
  return scopes.length > 0 && (await holdsVerifiedOrganization(transaction, accountId)) ? scopes : [];
}

/** Writes the scopes in force into a locked athlete, unless nobody is under the id any more; a minor who is shown without the consent for it is hidden in the same moment. */
export async function applyConsents(
  transaction: WriteTransaction,
  row: AthleteRow,
  consentScopes: ConsentScope[],
): Promise<AthleteRow> {
  if (departedStates.includes(row.status)) return row;
  const hidden = row.status === 'ACTIVE' && row.activatedAsMinor && !consentScopes.includes('PROFILE');
  const status = hidden ? 'PENDING_CONSENT' : row.status;
  if (status === row.status && consentScopes.join() === row.consentScopes.join()) return row;
  const moved = { action: 'consents_changed', event: hidden ? 'athlete.status_changed' : 'athlete.updated' } as const;
  return changeRow(transaction, athleteResource, row, { consentScopes, status }, moved);
}

const portion = 500;

/** After accounts won or lost their verification: consents count from then on, or no more. */
export async function recountConsents(transaction: Queryable, writer: Writer, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  let after = '00000000-0000-0000-0000-000000000000';
  const read = () =>
    transaction.query<AthleteRow>(sql`/* athletes.consented */ select ${athletes.columns} from athlete
      where account_id = any(${[...accountIds]}::uuid[]) and id > ${after}::uuid and exists (select from consent c where c.athlete_id = athlete.id)
      order by id limit ${portion} for update`);
  for (let rows = await read(); rows.length > 0; rows = await read()) {
    const some = rows;
    after = some.at(-1)?.id ?? after;
    await writer.within(transaction, async (work) => {
      for (const row of some) await applyConsents(work, row, await scopesInForce(work, row));
    });
  }
}
