/** Who reads an absence, as SQL conditions and a predicate (docs/absences.md). */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { hasFullAccess, owns, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import { isCertainAdult, visibleInLists } from '../athletes/visible-rows.ts';
import type { AbsenceDisclosure } from '../generated/resolvers.ts';

/** Kinds that are health data (GDPR, Article 4(15)). */
const isHealth = sql`absence.kind in ('INJURY', 'ILLNESS')`;

/** Public rows of `absence`: disclosed, of an adult with a public profile. */
export const publishedAbsence: Sql = sql`(absence.disclosure <> 'OWNER' and exists (select from athlete a where a.id = absence.athlete_id
  and a.status = 'ACTIVE' and a.visibility = 'PUBLIC' and not a.activated_as_minor and a.adult_from <= current_date))`;

/** Rows of the viewer's athletes, and those that the viewer's account wrote. */
export const ownAbsences = (accountId: string): Sql =>
  sql`(absence.account_id = ${accountId} or (athlete.account_id = ${accountId} and athlete.status not in ('MERGED', 'ERASED')))`;

/** Rows of `absence join athlete` whose kind and reason a viewer can read, if the row is visible. */
export function detailedAbsences(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const disclosed = sql`absence.disclosure = 'ALL'`;
  return viewer.accountId === null ? disclosed : sql`(${disclosed} or ${ownAbsences(viewer.accountId)})`;
}

/** Rows of `absence join athlete` that a viewer can read. Health data of a minor needs a guardian's consent to HEALTH. */
export function visibleAbsences(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return readsMinors(viewer) ? sql`true` : isCertainAdult();
  const disclosed = sql`absence.disclosure <> 'OWNER' and ((not ${isHealth} and ${visibleInLists(viewer, false, ['PROFILE'])})
    or (${isHealth} and ${visibleInLists(viewer, false, ['PROFILE', 'HEALTH'])}))`;
  return viewer.accountId === null ? disclosed : sql`((${disclosed}) or ${ownAbsences(viewer.accountId)})`;
}

interface Disclosed {
  readonly disclosure: AbsenceDisclosure;
  readonly accountId: string;
  readonly athleteAccountId: string;
}

/** Whether a viewer of an absence reads its kind and its reason. */
export function readsDetails(viewer: Viewer, { disclosure, accountId, athleteAccountId }: Disclosed): boolean {
  return disclosure === 'ALL' || owns(viewer, accountId) || owns(viewer, athleteAccountId) || hasFullAccess(viewer);
}
