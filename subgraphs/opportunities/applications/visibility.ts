/** Visibility of applications: only their two sides can read them. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import type { Actor } from '../../../platform/writes/transition.ts';
import type { AthletesById } from '../../clients/athlete-facts.ts';
import type { ApplicationSide } from '../generated/resolvers.ts';
import { activeStates, statusAt } from './lifecycle.ts';
import type { ApplicationRow } from './rows.ts';

/** The federation reference from an application to its athlete. The athletes area decides from it which profile data the viewer can read. */
export interface ApplicantReference {
  readonly applicant: string;
  readonly lives: boolean;
}

/** The sides of a viewer in an application. A draft belongs to the applicant alone. */
export function actorsOf(viewer: Viewer, row: Pick<ApplicationRow, 'accountId' | 'opportunityAccountId' | 'status'>): Actor[] {
  const isApplicant = owns(viewer, row.accountId);
  const isReceiver = owns(viewer, row.opportunityAccountId) && (isApplicant || row.status !== 'DRAFT');
  return [...(isApplicant ? (['OWNER'] as const) : []), ...(isReceiver ? (['COUNTERPART'] as const) : [])];
}

/**
 * The athlete of an application. The account of the opportunity can read more of the profile while the application is active.
 * @param organizationPublic whether the organization of the opportunity is public; a suspended organization loses this access
 */
export function applicantOf(viewer: Viewer, row: ApplicationRow, organizationPublic: boolean): ApplicantReference | null {
  const lives = owns(viewer, row.opportunityAccountId) && organizationPublic && activeStates.includes(statusAt(row));
  return row.athleteId === null ? null : { applicant: row.athleteId, lives };
}

const isFrom = (accountId: string | null): Sql => sql`application.account_id = ${accountId}::uuid`;
const isReceivedBy = (accountId: string | null): Sql =>
  sql`application.opportunity_account_id = ${accountId}::uuid and application.status <> 'DRAFT'`;

/** The condition on applications that are visible to a viewer, on one side or on both. */
export function visibleApplications(viewer: Viewer, side?: ApplicationSide | null): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const { accountId } = viewer;
  if (side === 'APPLICANT') return isFrom(accountId);
  if (side === 'OPPORTUNITY') return isReceivedBy(accountId);
  return sql`(${isFrom(accountId)} or (${isReceivedBy(accountId)}))`;
}

/**
 * The condition of a list that filters by athletes. The account of the opportunity finds public athletes and athletes with an active
 * application. Any other id finds nothing, like an unknown id, so the filter does not reveal hidden athletes.
 */
export function visibleApplicants({ accountId }: Viewer, ids: readonly string[], athletes: AthletesById): Sql {
  const publicIds = ids.filter((id) => athletes.get(id)?.public === true);
  if (publicIds.length === ids.length) return sql`true`;
  const activeIds = ids.filter((id) => athletes.get(id)?.status === 'ACTIVE');
  const isOneOf = (some: readonly string[]): Sql => oneOf(sql`application.athlete_id`, some);
  return sql`(${isFrom(accountId)} or ${isOneOf(publicIds)} or (${isOneOf(activeIds)} and application.status = any(${[...activeStates]})))`;
}

/** The condition on external ids of applications that are visible to a viewer: the ids that the viewer's side set. */
export const visibleExternalIds = ({ accountId }: Viewer): Sql => sql`external_id.account_id = ${accountId}::uuid`;
