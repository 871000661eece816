/** Rows of athletes as a viewer sees them: minors restricted to what is consented, and each look at more of them noted. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { latestToday } from '../../runtime/age.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { ageGroupOf } from './age.ts';
import type { ConsentScope } from '../resolvers.generated.ts';
import { visibilityMatrix } from './visibility.ts';
import type { AthleteRow, AthleteView } from './rows.ts';
import { hasSafeguardingOfficer, canReadMinors } from './visible-rows.ts';

type Field = keyof typeof visibilityMatrix;

const columnRules = Object.entries(visibilityMatrix).flatMap(([field, rule]) =>
  typeof rule === 'object' && 'otherwise' in rule
    ? [{ field, ...rule } as { field: string; consent: ConsentScope; otherwise: (value: unknown) => unknown }]
    : [],
);

/** The row with what the consents do not show taken out of it; columns that were not read stay so. */
export function restrictProfile(row: AthleteRow, scopes: readonly ConsentScope[]): AthleteView {
  const view = { ...row, visibleScopes: scopes, ageGroup: ageGroupOf(row) } satisfies AthleteView;
  // the columns by name: each rule returns a value of its column's type
  const columns: Record<string, unknown> = view;
  for (const { field, consent, otherwise } of columnRules)
    if (!scopes.includes(consent) && columns[field] !== undefined) columns[field] = otherwise(columns[field]);
  return view;
}

/** Whether the viewer of this row is shown a field of it. */
export function isFieldVisible({ visibleScopes }: AthleteView, field: Field): boolean {
  const rule = visibilityMatrix[field];
  return visibleScopes === undefined || rule === 'EVERYBODY' || visibleScopes.includes(rule.consent);
}

/** Makes the function that takes rows, which the viewer is shown, to what he is shown of them. */
export function createProfileRestriction({ database }: Pick<AreaServices, 'database'>) {
  const asked = (condition: (viewer: Viewer) => Sql): BatchRead<string, boolean> => {
    return async (accounts, { viewer }) => {
      const [row] = await database.query<{ may: boolean }>(sql`/* athletes.mayReadMinors */ select ${condition(viewer)} as may`);
      return accounts.map(() => row?.may === true);
    };
  };
  const readers = asked(canReadMinors);
  const caretakers = asked(hasSafeguardingOfficer);

  async function note({ accountId, keyId }: Viewer, rows: readonly AthleteRow[]): Promise<void> {
    const looks = rows.map(({ id, consentScopes }) => ({ id, scopes: consentScopes })).sort((a, b) => (a.id < b.id ? -1 : 1));
    await database.query(sql`/* athletes.noteAccess */
      insert into minor_access as m (athlete_id, day, account_id, key_id, scopes)
      select id, ${latestToday()}::date, ${accountId}::uuid, ${keyId ?? ''}, scopes from jsonb_to_recordset(${JSON.stringify(looks)}::jsonb) as l(id uuid, scopes text[])
      on conflict (athlete_id, day, account_id, key_id) do update set reads = m.reads + 1, last_at = now(),
        scopes = array(select distinct unnest(m.scopes || excluded.scopes) order by 1)`);
  }

  /** @param apply the athletes apply to the viewer, whose account needs no scope for what is consented, but who looks after minors */
  return async (context: Context, rows: readonly AthleteRow[], apply = false): Promise<AthleteView[]> => {
    const { viewer } = context;
    const isOpen = (row: AthleteRow): boolean => !row.activatedAsMinor || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const minors = rows.filter((row) => !isOpen(row));
    if (minors.length === 0) return [...rows];
    const { accountId, scopes } = viewer;
    const asks = accountId !== null && (apply || scopes.includes('minors:read'));
    const may = asks && (await context.load(apply ? caretakers : readers, accountId));
    // before the answer: who cannot be noted is not shown more
    if (may) await note(viewer, minors);
    return rows.map((row) => (isOpen(row) ? row : restrictProfile(row, may ? row.consentScopes : [])));
  };
}

export type SeenBy = ReturnType<typeof createProfileRestriction>;
