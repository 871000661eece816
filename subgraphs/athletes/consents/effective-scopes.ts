/** The effective consents of an athlete. They count only while the account has a verified organization (docs/minors.md). */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { hasVerifiedOrganization } from '../athletes/adulthood.ts';
import { athleteResource, athletes, type AthleteRow } from '../athletes/rows.ts';
import { removedStates } from '../athletes/rules.ts';
import type { ConsentScope } from '../generated/resolvers.ts';

/** The scopes of consents that are not withdrawn, sorted, by athlete. */
async function readGivenScopes(
  transaction: Queryable,
  athleteIds: readonly string[],
): Promise<ReadonlyMap<string, ConsentScope[]>> {
  const rows = await transaction.query<{ id: string; scopes: ConsentScope[] }>(sql`/* consents.scopes */
    select athlete_id as id, array_agg(distinct scope order by scope) as scopes from consent cross join unnest(scopes) as scope
    where athlete_id = any(${[...athleteIds]}::uuid[]) and withdrawn_at is null group by athlete_id`);
  return new Map(rows.map(({ id, scopes }) => [id, scopes]));
}

/** The effective scopes of an athlete. A change of the account's verification waits until the commit. */
export async function getEffectiveScopes(
  transaction: Queryable,
  { id, accountId }: Pick<AthleteRow, 'id' | 'accountId'>,
): Promise<ConsentScope[]> {
  const scopes = (await readGivenScopes(transaction, [id])).get(id);
  return scopes && (await hasVerifiedOrganization(transaction, accountId)) ? scopes : [];
}

/** Writes the effective scopes to a locked athlete, unless it is removed. A visible minor without consent to PROFILE is hidden. */
export async function applyConsents(
  transaction: WriteTransaction,
  row: AthleteRow,
  consentScopes: ConsentScope[],
): Promise<AthleteRow> {
  if (removedStates.includes(row.status)) return row;
  const isHidden = row.status === 'ACTIVE' && row.activatedAsMinor && !consentScopes.includes('PROFILE');
  const status = isHidden ? 'PENDING_CONSENT' : row.status;
  if (status === row.status && consentScopes.join() === row.consentScopes.join()) return row;
  const note = { action: 'consents_changed', event: isHidden ? 'athlete.status_changed' : 'athlete.updated' } as const;
  return changeRow(transaction, athleteResource, row, { consentScopes, status }, note);
}

/** Athletes per round trip. */
const batchSize = 500;

/** Applies the consents of accounts whose verification changed. The caller holds the verification locks of the accounts. */
export async function reapplyConsents(transaction: Queryable, writer: Writer, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const holders = await transaction.query<{ id: string }>(sql`/* athletes.verifiedAccounts */
    select distinct account_id as id from organization_account where account_id = any(${[...accountIds]}::uuid[]) and verified`);
  const verified = new Set(holders.map(({ id }) => id));
  let after = '00000000-0000-0000-0000-000000000000';
  const read = () =>
    transaction.query<AthleteRow>(sql`/* athletes.withConsents */ select ${athletes.columns} from athlete
      where account_id = any(${[...accountIds]}::uuid[]) and id > ${after}::uuid and exists (select from consent c where c.athlete_id = athlete.id)
      order by id limit ${batchSize} for update`);
  for (let rows = await read(); rows.length > 0; rows = await read()) {
    const batch = rows;
    const given = await readGivenScopes(
      transaction,
      batch.map(({ id }) => id),
    );
    after = batch.at(-1)?.id ?? after;
    await writer.writeWithin(transaction, async (work) => {
      for (const row of batch) await applyConsents(work, row, (verified.has(row.accountId) && given.get(row.id)) || []);
    });
  }
}
