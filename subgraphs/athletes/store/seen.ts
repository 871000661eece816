/** Athletes whom a viewer may see, restricted profiles among them, for areas that keep something about them. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { isShownAsMinor } from '../age.ts';
import { departedStates } from '../rules.ts';
import type { AthleteRow } from './athlete-row.ts';
import { ofSport, visibleOrOwn } from './visibility.ts';

type Seen = Pick<AthleteRow, 'id' | 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes'>;

/** Makes the function that reads them by id. Nothing is read of a minor that a restricted profile hides, so that no look is noted. */
export function createSeenAthletes({ database }: Pick<AreaServices, 'database'>) {
  return async ({ viewer }: Pick<Context, 'viewer'>, ids: readonly string[]) => {
    const rows = await database.query<Seen>(sql`/* athletes.seen */
      select athlete.id, account_id as "accountId", adult_from as "adultFrom", activated_as_minor as "activatedAsMinor", consent_scopes as "consentScopes"
      from athlete where athlete.id = any(${[...ids]}::uuid[]) and not athlete.status = any(${[...departedStates]}) and ${ofSport(viewer.sport)} and ${visibleOrOwn(viewer)}`);
    return rows.map(({ id, accountId, consentScopes, ...age }) => ({ id, accountId, consentScopes, minor: isShownAsMinor(age) }));
  };
}
