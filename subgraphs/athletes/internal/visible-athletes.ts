/** Athletes whom a viewer may see, restricted profiles among them, for areas that keep something about them. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import { removedStates } from '../athletes/rules.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { competesIn, visibleOrOwn } from '../athletes/visible-rows.ts';

type VisibleRow = Pick<AthleteRow, 'id' | 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes'>;

/** Makes the function that reads them by id. Nothing is read of a minor that a restricted profile hides, so that no look is noted. */
export function createVisibleAthletes({ database }: Pick<AreaServices, 'database'>) {
  return async ({ viewer }: Pick<Context, 'viewer'>, ids: readonly string[]) => {
    const rows = await database.query<VisibleRow>(sql`/* athletes.seen */
      select athlete.id, account_id as "accountId", adult_from as "adultFrom", activated_as_minor as "activatedAsMinor", consent_scopes as "consentScopes"
      from athlete where athlete.id = any(${[...ids]}::uuid[]) and not athlete.status = any(${[...removedStates]}) and ${competesIn(viewer.sport)} and ${visibleOrOwn(viewer)}`);
    return rows.map(({ id, accountId, consentScopes, ...age }) => ({ id, accountId, consentScopes, minor: isTreatedAsMinor(age) }));
  };
}
