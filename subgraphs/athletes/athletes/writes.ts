/** Writes of athletes by their owners: create, update and delete. Every write derives `adultFrom` and the sports table again. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import type { InputPatch } from '../../../platform/database/table.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { removeOwned, requireDraft } from '../../../platform/writes/lifecycle.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, insertResource, lockOwned, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { Replayable, WriteTransaction } from '../../../platform/writes/write.ts';
import { fetchOrganizationOwners, type OrganizationOwners } from '../../clients/organization-owners.ts';
import { latestToday } from '../../runtime/age.ts';
import { createImageWrite } from '../../runtime/image-writes.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { verificationAfter } from '../../runtime/verification.ts';
import { consentResource } from '../consents/rows.ts';
import type { AthleteStatus, CreateAthleteInput, UpdateAthleteInput } from '../generated/resolvers.ts';
import { determineAdultFrom } from './adulthood.ts';
import { isMinor, isTreatedAsMinor } from './age.ts';
import { idsOfAthletes, rejectRemoved } from './erasure.ts';
import { eraseMinorAccess, recordAdministratorAccess } from './minor-access.ts';
import { noteAthletes, type AthleteReads } from './reads.ts';
import { athleteResource, athletes, type AthleteRow } from './rows.ts';
import { athleteViolations, normalizeSports, verifiedMembers, type AthleteInput } from './rules.ts';

/** Fetches the institutions that inputs name: one fetch for any number of athletes. */
export function fetchInstitutions({ graph }: Context, inputs: readonly AthleteInput[]): Promise<OrganizationOwners> {
  return fetchOrganizationOwners(
    graph,
    inputs.map(({ education }) => education?.institutionId),
  );
}

/** Runs a write and notes the athlete of the response; an administrator reads it, too. */
export async function writeAthlete(
  { database, writer }: Pick<AreaServices, 'database' | 'writer'>,
  context: Context,
  work: (transaction: WriteTransaction) => Promise<AthleteRow>,
  replayable?: Replayable<AthleteRow>,
): Promise<AthleteRow> {
  const row = await writer.write(context, work, replayable);
  noteAthletes(context, [row]);
  if (isTreatedAsMinor(row)) await recordAdministratorAccess(database, context.viewer, [row], 'PROFILE');
  return row;
}

/** Row values of an input, and the sport codes that derive from its sports. */
function valuesOf({ externalIds: _, status: __, sports, ...rest }: AthleteInput): InputPatch<AthleteRow> {
  const values = rowValues(athletes, rest);
  if (!sports) return sports === null ? { ...values, sports } : values;
  const normalized = normalizeSports(sports);
  return { ...values, sports: normalized, sportCodes: normalized.map((each) => each.sport) };
}

/** An active athlete whose age changes across 18 needs consent, or the owner's activation, again. */
function statusAfter(before: AthleteRow, adultFrom: string | null): AthleteStatus {
  if (before.status !== 'ACTIVE') return before.status;
  return isMinor(before.adultFrom) === isMinor(adultFrom) ? before.status : 'PENDING_CONSENT';
}

/** Writes the sports of a row to the table that filters by several members of one sport. */
async function setSports(transaction: WriteTransaction, row: AthleteRow): Promise<void> {
  await transaction.query(sql`/* athletes.setSports */ with removed as (
      delete from athlete_sport where athlete_id = ${row.id} and sport <> all(${row.sportCodes})
    ) insert into athlete_sport (athlete_id, sport, discipline, positions, level, contract_until)
      select ${row.id}, s.sport, s.discipline, s.positions, s.level, earliest_contract(${row.id})
      from jsonb_to_recordset(${JSON.stringify(row.sports)}::jsonb) as s(sport text, discipline text, positions text[], level text)
      on conflict (athlete_id, sport) do update set discipline = excluded.discipline, positions = excluded.positions, level = excluded.level`);
}

/** Inserts an athlete. A minor cannot start as ACTIVE. Throws Problem validation_failed (422). */
export async function insertAthlete(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateAthleteInput,
  institutions: OrganizationOwners,
): Promise<AthleteRow> {
  rejectInvalid(athleteViolations(input, { today: latestToday(), accountId, institutions }));
  const adultFrom = await determineAdultFrom(transaction, accountId, input);
  const requested = input.status ?? 'DRAFT';
  const status: AthleteStatus = requested === 'ACTIVE' && isMinor(adultFrom) ? 'PENDING_CONSENT' : requested;
  const values = { ...valuesOf(input), adultFrom, status, accountId };
  const row = await insertResource(transaction, athleteResource, values, input.externalIds);
  await setSports(transaction, row);
  return row;
}

/** Applies a merge patch to a locked athlete. Throws Problem validation_failed (422). */
export async function patchAthlete(
  transaction: WriteTransaction,
  viewer: Viewer,
  before: AthleteRow,
  input: AthleteInput,
  institutions: OrganizationOwners,
): Promise<AthleteRow> {
  const { accountId } = before;
  const changed = valuesOf(input);
  const { dateOfBirth, birthYear, adultConfirmed } = { ...before, ...changed };
  // the date and the year are validated together, whichever of them the input has
  const birth = 'dateOfBirth' in input || 'birthYear' in input ? { dateOfBirth, birthYear } : {};
  rejectInvalid(athleteViolations({ ...input, ...birth }, { today: latestToday(), accountId, institutions }));
  const adultFrom = await determineAdultFrom(transaction, accountId, { dateOfBirth, birthYear, adultConfirmed });
  const status = statusAfter(before, adultFrom);
  const verification = verificationAfter(viewer, before, changed, verifiedMembers);
  const patch = { ...changed, adultFrom, status, verification };
  const row = await patchResource(transaction, athleteResource, before, patch, input.externalIds);
  if (input.sports && row.version !== before.version) await setSports(transaction, row);
  return row;
}

async function removeDraft(transaction: WriteTransaction, viewer: Viewer, id: string, ifMatch: string): Promise<AthleteRow> {
  const detail = 'Only a draft without memberships, statistics and duplicates can be deleted. Deactivate or erase the athlete.';
  let consents: string[] = [];
  const row = await removeOwned(transaction, athleteResource, viewer, { id, ifMatch }, async (draft) => {
    requireDraft(detail)(draft);
    const [reference] = await transaction.query(sql`/* athletes.references */ select from membership where athlete_id = ${id}
      union all select from statistics where athlete_id = ${id} union all select from athlete where merged_into = ${id} limit 1`);
    if (reference) throw new Problem('in_use', detail);
    // the foreign key deletes them with the row
    consents = await idsOfAthletes(transaction, 'consent', [id]);
  });
  await eraseTraces(transaction, consentResource.type, consents);
  await eraseMinorAccess(transaction, [id]);
  return row;
}

/** Creates the writes of owners. */
export function createAthleteWrites(services: AreaServices, reads: AthleteReads) {
  const replay = replaysOf(reads.byId);

  const setImage = createImageWrite(services, {
    resource: athleteResource,
    kind: 'photo',
    check: rejectRemoved,
    change: (transaction, before, imageId) =>
      changeRow(transaction, athleteResource, before, { imageId }, { action: 'updated', event: 'athlete.updated' }),
  });

  return {
    setImage,
    async create(context: Context, input: CreateAthleteInput, key: string | null | undefined): Promise<AthleteRow> {
      const accountId = requireAccount(context.viewer);
      const institutions = await fetchInstitutions(context, [input]);
      const work = (transaction: WriteTransaction) => insertAthlete(transaction, accountId, input, institutions);
      return writeAthlete(services, context, work, replay(context, 'createAthlete', key, input));
    },
    async update(context: Context, id: string, input: UpdateAthleteInput, ifMatch: string): Promise<AthleteRow> {
      const institutions = await fetchInstitutions(context, [input]);
      return writeAthlete(services, context, async (transaction) => {
        const before = await lockOwned(transaction, athleteResource, context.viewer, id);
        rejectRemoved(before);
        requireVersion(ifMatch, before.version);
        return patchAthlete(transaction, context.viewer, before, input, institutions);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<AthleteRow> {
      return writeAthlete(services, context, (transaction) => removeDraft(transaction, context.viewer, id, ifMatch));
    },
  };
}
