/** The consents in force of an athlete: they count while their account holds a verified organization (docs/minors.md). */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { ConsentScope } from '../resolvers.generated.ts';
import { removedStates } from '../athletes/rules.ts';
import { hasVerifiedOrganization } from '../athletes/adulthood.ts';
import { athleteResource, athletes, type AthleteRow } from '../athletes/rows.ts';

/** The scopes that guardians of athletes have consented to and not withdrawn, in their order. */
async function givenScopes(transaction: Queryable, athleteIds: readonly string[]): Promise<ReadonlyMap<string, ConsentScope[]>> {
  const rows = await transaction.query<{ id: string; scopes: ConsentScope[] }>(sql`/* consents.scopes */
    select athlete_id as id, array_agg(distinct scope order by scope) as scopes from consent cross join unnest(scopes) as scope
    where athlete_id = any(${[...athleteIds]}::uuid[]) and withdrawn_at is null group by athlete_id`);
  return new Map(rows.map(({ id, scopes }) => [id, scopes]));
}

/** The scopes in force, counted anew: who takes the account's verification away waits, and then finds the athlete. */
export async function getEffectiveScopes(
  transaction: Queryable,
  { id, accountId }: Pick<AthleteRow, 'id' | 'accountId'>,
): Promise<ConsentScope[]> {
  const scopes = (await givenScopes(transaction, [id])).get(id);
  return scopes && (await hasVerifiedOrganization(transaction, accountId)) ? scopes : [];
}

/** Writes the scopes in force into a locked athlete, unless nobody is under the id any more; a minor who is shown without the consent for it is hidden in the same moment. */
export async function applyConsents(
  transaction: WriteTransaction,
  row: AthleteRow,
  consentScopes: ConsentScope[],
): Promise<AthleteRow> {
  if (removedStates.includes(row.status)) return row;
  const hidden = row.status === 'ACTIVE' && row.activatedAsMinor && !consentScopes.includes('PROFILE');
  const status = hidden ? 'PENDING_CONSENT' : row.status;
  if (status === row.status && consentScopes.join() === row.consentScopes.join()) return row;
  const moved = { action: 'consents_changed', event: hidden ? 'athlete.status_changed' : 'athlete.updated' } as const;
  return changeRow(transaction, athleteResource, row, { consentScopes, status }, moved);
}

const portion = 500;

/** After accounts won or lost their verification: consents count from then on, or no more. The accounts are held by whoever wrote what changed. */
export async function reapplyConsents(transaction: Queryable, writer: Writer, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const holding = await transaction.query<{ id: string }>(sql`/* athletes.verifiedAccounts */
    select distinct account_id as id from organization_account where account_id = any(${[...accountIds]}::uuid[]) and verified`);
  const verified = new Set(holding.map(({ id }) => id));
  let after = '00000000-0000-0000-0000-000000000000';
  const read = () =>
    transaction.query<AthleteRow>(sql`/* athletes.consented */ select ${athletes.columns} from athlete
      where account_id = any(${[...accountIds]}::uuid[]) and id > ${after}::uuid and exists (select from consent c where c.athlete_id = athlete.id)
      order by id limit ${portion} for update`);
  for (let rows = await read(); rows.length > 0; rows = await read()) {
    const some = rows;
    const given = await givenScopes(
      transaction,
      some.map(({ id }) => id),
    );
    after = some.at(-1)?.id ?? after;
    await writer.writeWithin(transaction, async (work) => {
      for (const row of some) await applyConsents(work, row, (verified.has(row.accountId) && given.get(row.id)) || []);
    });
  }
}
