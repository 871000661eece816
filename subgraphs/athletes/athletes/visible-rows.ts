/** SQL conditions for the athletes that a viewer can read (docs/minors.md). visibility.ts decides which fields are visible. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { Sport } from '../../../schema/sports.ts';
import { hasFullAccess, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import { latestToday } from '../../runtime/age.ts';
import type { ConsentScope } from '../generated/resolvers.ts';

const never = sql`false`;

/** Whether the owner's visibility setting includes the viewer. */
export function allowedByVisibility({ accountId }: Viewer, visibility: Sql = sql`athlete.visibility`): Sql {
  const isPublic = sql`${visibility} = 'PUBLIC'`;
  if (accountId === null) return isPublic;
  return sql`(${isPublic} or (${visibility} = 'ORGANIZATIONS'
    and exists (select from organization_account o where o.account_id = ${accountId} and o.verified)))`;
}

const isActiveAdult = (): Sql =>
  sql`athlete.status = 'ACTIVE' and not athlete.activated_as_minor and athlete.adult_from <= ${latestToday()}::date`;

/** Adults in any status. */
export const isCertainAdult = (): Sql => sql`(not athlete.activated_as_minor and athlete.adult_from <= ${latestToday()}::date)`;

const isActiveMinor = sql`athlete.status = 'ACTIVE' and athlete.activated_as_minor and athlete.consent_scopes @> '{PROFILE}'`;

/** Athletes of a sport, or all athletes for null. A host of one sport returns no others. */
export const competesIn = (sport: Sport | null): Sql => (sport === null ? sql`true` : sql`athlete.sport_codes @> ${[sport]}`);

/** Whether the viewer can read what guardians consented to. The scope alone is not enough: the account needs a safeguarding officer. */
export function canReadMinors(viewer: Viewer): Sql {
  return viewer.scopes.includes('minors:read') ? hasSafeguardingOfficer(viewer) : never;
}

/** Whether the viewer's account has a verified organization with a safeguarding officer. */
export function hasSafeguardingOfficer({ accountId }: Viewer): Sql {
  if (accountId === null) return never;
  return sql`exists (select from organization_account o where o.account_id = ${accountId} and o.verified and o.safeguarded)`;
}

/** Minors whose members the viewer can read by all the given consent scopes. */
function minorsWithConsent(viewer: Viewer, scopes: readonly ConsentScope[]): Sql {
  if (scopes.length === 0) return isActiveMinor;
  return sql`${isActiveMinor} and athlete.consent_scopes @> ${[...scopes]} and ${canReadMinors(viewer)}`;
}

/** Athletes of an account in any status, except erased and merged ones. */
const ownAthletes = (accountId: string): Sql =>
  sql`athlete.account_id = ${accountId} and athlete.status not in ('MERGED', 'ERASED')`;

/**
 * Athletes that a list returns. Throws Problem api_key_missing (401) for `mine` without a key.
 * @param scopes the consent scopes that the filters and the sort order need
 */
export function visibleInLists(viewer: Viewer, mine: boolean | null | undefined, scopes: readonly ConsentScope[]): Sql {
  if (mine) return ownAthletes(requireAccount(viewer));
  if (readsMinors(viewer)) return sql`true`;
  if (hasFullAccess(viewer))
    return sql`(${isCertainAdult()} or (${allowedByVisibility(viewer)} and ${minorsWithConsent(viewer, scopes)}))`;
  return sql`${allowedByVisibility(viewer)} and athlete.status = 'ACTIVE' and ((${isActiveAdult()}) or (${minorsWithConsent(viewer, scopes)}))`;
}

/**
 * Applicants: by applying, their owners show them to the opportunity's account whatever their visibility. To administrators that do not read
 * minors, they show no more than lists.
 */
export const visibleApplicants = (viewer: Viewer): Sql =>
  hasFullAccess(viewer) && !readsMinors(viewer)
    ? visibleInLists(viewer, false, [])
    : sql`((${isActiveAdult()}) or (${isActiveMinor}))`;

/** Adults with a whole profile in lists of the viewer. */
export const listedAdults = (viewer: Viewer): Sql =>
  hasFullAccess(viewer)
    ? isCertainAdult()
    : sql`not athlete.activated_as_minor and ${visibleInLists(viewer, false, ['PROFILE'])}`;

const orOwn = ({ accountId }: Viewer, visible: Sql): Sql =>
  accountId === null ? visible : sql`((${visible}) or (${ownAthletes(accountId)}))`;

/** Athletes that the viewer can read by id: those of lists, and their own. */
export function visibleOrOwn(viewer: Viewer): Sql {
  return orOwn(viewer, visibleInLists(viewer, false, []));
}

/** Athletes whose related data, such as statistics, the viewer can read by a consent scope. */
export function visibleWithConsent(viewer: Viewer, consent: ConsentScope): Sql {
  return orOwn(viewer, visibleInLists(viewer, false, [consent]));
}

/** Whether the viewer can read an organization, by its id. A hidden organization does not reveal its members. */
export function isOrganizationVisible(viewer: Viewer, id: Sql): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const own = viewer.accountId === null ? sql`` : sql`or o.account_id = ${viewer.accountId}`;
  return sql`exists (select from organization_account o where o.organization_id = ${id} and (o.public ${own}))`;
}
