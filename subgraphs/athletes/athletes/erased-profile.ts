/** What is left of a profile of which nobody is under the id any more: erased, or one with another. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { AthleteRow } from './rows.ts';

/** What is left of a row beside its id and its state. Nothing of it is null that the table needs. */
export const erasedProfile: Partial<AthleteRow> = {
  displayName: 'Erased athlete',
  givenName: null,
  familyName: null,
  knownAs: null,
  dateOfBirth: null,
  birthYear: null,
  adultFrom: null,
  adultConfirmed: null,
  consentScopes: [],
  activatedAsMinor: false,
  sex: 'UNSPECIFIED',
  nationalities: [],
  sportingNationality: null,
  residence: null,
  sports: [],
  sportCodes: [],
  heightCm: null,
  weightKg: null,
  dominantFoot: null,
  dominantHand: null,
  weightClass: null,
  education: null,
  availability: null,
  languages: [],
  media: [],
  visibility: 'PRIVATE',
  verification: { status: 'UNVERIFIED', method: null, at: null },
};

/** Takes athletes out of what is kept beside their rows, so that lists find them. */
export async function removeFromLists(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* athletes.leaveLists */
    with rises as (delete from athlete_rise where athlete_id = any(${[...athleteIds]}::uuid[]))
    delete from athlete_sport where athlete_id = any(${[...athleteIds]}::uuid[])`);
}
