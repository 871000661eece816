/** Ids and consents of athletes that a viewer can read, for areas that store data about athletes. */
import { owns } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { removedStates } from '../athletes/rules.ts';
import { competesIn, visibleOrOwn } from '../athletes/visible-rows.ts';

interface VisibleRow extends Pick<
  AthleteRow,
  'id' | 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes' | 'sportCodes'
> {
  readonly bornIn: number | null;
}

/** Creates the function that reads them by id. It returns nothing that a restricted profile hides, so no access to a minor is logged. */
export function createVisibleAthletes({ database }: Pick<AreaServices, 'database'>) {
  return async ({ viewer }: Pick<Context, 'viewer'>, ids: readonly string[]) => {
    const rows = await database.query<VisibleRow>(sql`/* athletes.visible */
      select athlete.id, account_id as "accountId", adult_from as "adultFrom", activated_as_minor as "activatedAsMinor", consent_scopes as "consentScopes",
        sport_codes as "sportCodes", coalesce(extract(year from date_of_birth)::int, birth_year) as "bornIn"
      from athlete where athlete.id = any(${[...ids]}::uuid[]) and not athlete.status = any(${[...removedStates]}) and ${competesIn(viewer.sport)} and ${visibleOrOwn(viewer)}`);
    return rows.map(({ adultFrom, activatedAsMinor, bornIn, ...row }) => {
      const minor = isTreatedAsMinor({ adultFrom, activatedAsMinor });
      return { ...row, minor, bornIn: minor && !owns(viewer, row.accountId) ? null : bornIn };
    });
  };
}
