/** Which athletes a viewer is shown: the one place that decides (docs/minors.md). What is shown of each: ../visibility.ts. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { Sport } from '../../../schema/sports.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { latestToday } from '../../runtime/age.ts';
import type { ConsentScope } from '../resolvers.generated.ts';

const never = sql`false`;

/** Whether the profile is open to the viewer, by the word of its owner: a condition on its visibility. */
export function allowedByVisibility({ accountId }: Viewer, visibility: Sql = sql`athlete.visibility`): Sql {
  const everybody = sql`${visibility} = 'PUBLIC'`;
  if (accountId === null) return everybody;
  return sql`(${everybody} or (${visibility} = 'ORGANIZATIONS'
    and exists (select from organization_account o where o.account_id = ${accountId} and o.verified)))`;
}

const asAdult = (): Sql =>
  sql`athlete.status = 'ACTIVE' and not athlete.activated_as_minor and athlete.adult_from <= ${latestToday()}::date`;
const asMinor = sql`athlete.status = 'ACTIVE' and athlete.activated_as_minor and athlete.consent_scopes @> '{PROFILE}'`;

/** Athletes of a sport, as a host of one shows no others; of any where none is named. */
export const competesIn = (sport: Sport | null): Sql => (sport === null ? sql`true` : sql`athlete.sport_codes @> ${[sport]}`);

/** Whether the viewer may read what guardians consented to: the scope alone is not enough, the account answers for a safeguarding officer. */
export function canReadMinors(viewer: Viewer): Sql {
  return viewer.scopes.includes('minors:read') ? hasSafeguardingOfficer(viewer) : never;
}

/** Whether the viewer's account answers for a safeguarding officer of a verified organization. */
export function hasSafeguardingOfficer({ accountId }: Viewer): Sql {
  if (accountId === null) return never;
  return sql`exists (select from organization_account o where o.account_id = ${accountId} and o.verified and o.safeguarded)`;
}

/** Minors of whom the viewer is shown what a list reads. */
function minorsWith(viewer: Viewer, reads: readonly ConsentScope[]): Sql {
  if (reads.length === 0) return asMinor;
  return sql`${asMinor} and athlete.consent_scopes @> ${[...reads]} and ${canReadMinors(viewer)}`;
}

/** What an account sees of its own in any state; of who is erased or merged nothing is left to be seen. */
const ownAthletes = (accountId: string): Sql =>
  sql`athlete.account_id = ${accountId} and athlete.status not in ('MERGED', 'ERASED')`;

/**
 * What a list of the table `athlete` shows. Throws Problem api_key_missing (401) for `mine` without a key.
 * @param reads the consents that the list reads by
 */
export function visibleInLists(viewer: Viewer, mine: boolean | null | undefined, reads: readonly ConsentScope[]): Sql {
  if (mine) return ownAthletes(requireAccount(viewer));
  if (hasFullAccess(viewer)) return sql`true`;
  return sql`${allowedByVisibility(viewer)} and athlete.status = 'ACTIVE' and ((${asAdult()}) or (${minorsWith(viewer, reads)}))`;
}

/** Athletes who apply: their owner shows them to whom they apply, whatever their visibility. */
export const visibleApplicants = (): Sql => sql`((${asAdult()}) or (${asMinor}))`;

const orOwn = ({ accountId }: Viewer, shown: Sql): Sql =>
  accountId === null ? shown : sql`((${shown}) or (${ownAthletes(accountId)}))`;

/** A single athlete: as in lists, and the viewer's own. */
export function visibleOrOwn(viewer: Viewer): Sql {
  return orOwn(viewer, visibleInLists(viewer, false, []));
}

/** Athletes of whom the viewer is shown all that a consent is about: what belongs to them (statistics) is shown with it. */
export function visibleWithConsent(viewer: Viewer, consent: ConsentScope): Sql {
  return orOwn(viewer, visibleInLists(viewer, false, [consent]));
}

/** Whether the viewer may know of an organization, by its id: a hidden one says nothing of who belongs to it. */
export function isOrganizationVisible(viewer: Viewer, id: Sql): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const own = viewer.accountId === null ? sql`` : sql`or o.account_id = ${viewer.accountId}`;
  return sql`exists (select from organization_account o where o.organization_id = ${id} and (o.public ${own}))`;
}
