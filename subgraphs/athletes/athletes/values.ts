/** What an input makes of an athlete's row, and of what is kept beside it. */
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isMinor } from './age.ts';
import type { AthleteStatus, CreateAthleteInput, InputMaybe } from '../resolvers.generated.ts';
import { normalizeSports } from './rules.ts';
import type { AthleteRow } from './rows.ts';

/** Facts of an athlete as a caller writes them. */
export type AthleteInput = { readonly [Member in keyof CreateAthleteInput]?: InputMaybe<CreateAthleteInput[Member]> };

/** Row values of an input, with what derives from them. */
export function valuesOf(input: AthleteInput): Partial<AthleteRow> {
  const { externalIds: _, status: __, sports, ...rest } = input;
  const values = rest as Partial<AthleteRow>;
  if (!sports) return sports === null ? { ...values, sports: null as never } : values;
  const normalized = normalizeSports(sports);
  return { ...values, sports: normalized, sportCodes: normalized.map((each) => each.sport) };
}

/** An edit of the age across 18 asks for consent anew, whichever way it goes; of who is suspended, when a moderator reinstates. */
export function statusAfter(before: AthleteRow, adultFrom: string | null): AthleteStatus {
  if (before.status !== 'ACTIVE') return before.status;
  return isMinor(before.adultFrom) === isMinor(adultFrom) ? before.status : 'PENDING_CONSENT';
}

/** Writes the sports of a row into the table that filters by several facts of one sport. */
export async function setSports(transaction: WriteTransaction, row: AthleteRow): Promise<void> {
  await transaction.query(sql`/* athletes.setSports */ with gone as (
      delete from athlete_sport where athlete_id = ${row.id} and sport <> all(${row.sportCodes})
    ) insert into athlete_sport (athlete_id, sport, discipline, positions, level)
      select ${row.id}, s.sport, s.discipline, s.positions, s.level
      from jsonb_to_recordset(${JSON.stringify(row.sports)}::jsonb) as s(sport text, discipline text, positions text[], level text)
      on conflict (athlete_id, sport) do update set discipline = excluded.discipline, positions = excluded.positions, level = excluded.level`);
}
