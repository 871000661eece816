/** Notes reads of data about athletes: for the cache headers, and for the log of reads of minors. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { readsMinors } from '../../../schema/viewer.ts';
import { isTreatedAsMinor } from './age.ts';
import { recordAdministratorAccess, type MinorPart } from './minor-access.ts';
import { noteAthletes, type AthleteReads } from './reads.ts';
import type { AthleteRow } from './rows.ts';

type NoteAthletes = (context: Context, rows: readonly { readonly athleteId: string }[], part: MinorPart) => Promise<void>;

/** Creates the function that notes the athletes of rows for the cache headers, and logs access to minors like a read of their profiles. */
export function createAthleteNotes(
  { database }: AreaServices,
  { byIdOfAnySport }: Pick<AthleteReads, 'byIdOfAnySport'>,
): NoteAthletes {
  return async (context, rows, part) => {
    if (rows.length === 0) return;
    context.notes.person = true;
    // anonymous callers read no such rows of minors
    if (context.viewer.kind === 'ANONYMOUS') return;
    const ids = [...new Set(rows.map((row) => row.athleteId))];
    const ages = await database.query<Pick<AthleteRow, 'id' | 'adultFrom' | 'activatedAsMinor'>>(
      sql`/* athletes.ages */ select id, adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete where id = any(${ids}::uuid[])`,
    );
    noteAthletes(context, ages);
    if (readsMinors(context.viewer)) {
      const minors = ages.filter((row) => isTreatedAsMinor(row));
      return recordAdministratorAccess(database, context.viewer, minors, part);
    }
    await Promise.all(ages.filter((row) => row.activatedAsMinor).map(({ id }) => byIdOfAnySport(context, id)));
  };
}
