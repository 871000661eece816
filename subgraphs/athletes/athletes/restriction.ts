/** Restricts profiles of minors to the fields that a viewer can read, and logs reads of more than the restricted profile. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { owns, hasFullAccess, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ConsentScope } from '../generated/resolvers.ts';
import { ageGroupOf, isTreatedAsMinor } from './age.ts';
import { recordAdministratorAccess, recordMinorAccess } from './minor-access.ts';
import type { AthleteRow, AthleteView } from './rows.ts';
import { visibilityMatrix } from './visibility.ts';
import { canReadMinors, hasSafeguardingOfficer } from './visible-rows.ts';

type Field = keyof typeof visibilityMatrix;

interface ColumnRule {
  readonly field: string;
  readonly consent: ConsentScope;
  readonly otherwise: (value: unknown) => unknown;
}

const columnRules = Object.entries(visibilityMatrix).flatMap(([field, rule]) =>
  // Cast: the matrix pairs each rule with the type of its column, which a list of rules cannot express.
  typeof rule === 'object' && 'otherwise' in rule ? [{ field, ...rule } as ColumnRule] : [],
);

/** The row without the values that the consent scopes do not cover. Columns that were not selected stay undefined. */
function restrictProfile(row: AthleteRow, scopes: readonly ConsentScope[]): AthleteView {
  const view = { ...row, visibleScopes: scopes, ageGroup: ageGroupOf(row) } satisfies AthleteView;
  // the columns by name: each rule returns a value of the type of its column
  const columns: Record<string, unknown> = view;
  for (const { field, consent, otherwise } of columnRules)
    if (!scopes.includes(consent) && columns[field] !== undefined) columns[field] = otherwise(columns[field]);
  return view;
}

/** Whether the viewer of this row can read a field of it. */
export function isFieldVisible({ visibleScopes }: AthleteView, field: Field): boolean {
  const rule = visibilityMatrix[field];
  return visibleScopes === undefined || rule === 'ALWAYS' || visibleScopes.includes(rule.consent);
}

/** Creates the function that restricts visible rows for a viewer. */
export function createProfileRestriction({ database }: Pick<AreaServices, 'database'>) {
  const check = (condition: (viewer: Viewer) => Sql): BatchRead<string, boolean> => {
    return async (accounts, { viewer }) => {
      const [row] = await database.query<{ may: boolean }>(sql`/* athletes.mayReadMinors */ select ${condition(viewer)} as may`);
      return accounts.map(() => row?.may === true);
    };
  };
  const canReadMinorsRead = check(canReadMinors);
  const hasOfficerRead = check(hasSafeguardingOfficer);

  /** @param apply whether the athletes apply to the viewer, who then needs a safeguarding officer but not the scope `minors:read` */
  return async (context: Context, rows: readonly AthleteRow[], apply = false): Promise<AthleteView[]> => {
    const { viewer } = context;
    if (readsMinors(viewer)) {
      await recordAdministratorAccess(
        database,
        viewer,
        rows.filter((row) => isTreatedAsMinor(row)),
        'PROFILE',
      );
      return [...rows];
    }
    const isRestricted = hasFullAccess(viewer) ? isTreatedAsMinor : (row: AthleteRow) => row.activatedAsMinor;
    const isUnrestricted = (row: AthleteRow): boolean => !isRestricted(row) || owns(viewer, row.accountId);
    const minors = rows.filter((row) => !isUnrestricted(row));
    if (minors.length === 0) return [...rows];
    const { accountId, scopes } = viewer;
    const isCandidate = accountId !== null && (apply || scopes.includes('minors:read'));
    const canRead = isCandidate && (await context.load(apply ? hasOfficerRead : canReadMinorsRead, accountId));
    // logged before the response: without a log entry the viewer reads the restricted profile only
    if (canRead) await recordMinorAccess(database, viewer, minors, 'PROFILE');
    return rows.map((row) => (isUnrestricted(row) ? row : restrictProfile(row, canRead ? row.consentScopes : [])));
  };
}
