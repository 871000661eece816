/** Ids and consents of athletes that a viewer can read, for areas that store data about athletes. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { removedStates } from '../athletes/rules.ts';
import { competesIn, visibleOrOwn } from '../athletes/visible-rows.ts';

type VisibleRow = Pick<AthleteRow, 'id' | 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes'>;

/** Creates the function that reads them by id. It returns nothing that a restricted profile hides, so no access to a minor is logged. */
export function createVisibleAthletes({ database }: Pick<AreaServices, 'database'>) {
  return async ({ viewer }: Pick<Context, 'viewer'>, ids: readonly string[]) => {
    const rows = await database.query<VisibleRow>(sql`/* athletes.visible */
      select athlete.id, account_id as "accountId", adult_from as "adultFrom", activated_as_minor as "activatedAsMinor", consent_scopes as "consentScopes"
      from athlete where athlete.id = any(${[...ids]}::uuid[]) and not athlete.status = any(${[...removedStates]}) and ${competesIn(viewer.sport)} and ${visibleOrOwn(viewer)}`);
    return rows.map(({ id, accountId, consentScopes, ...age }) => ({
      id,
      accountId,
      consentScopes,
      minor: isTreatedAsMinor(age),
    }));
  };
}
