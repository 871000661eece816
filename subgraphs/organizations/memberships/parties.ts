/** The two sides of a membership: who they are in a new one, and what each may do in another. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { type Actor } from '../../../platform/writes/transition.ts';
import type { CreateMembershipInput, MembershipStatus } from '../resolvers.generated.ts';
import { latestToday } from '../../runtime/age.ts';
import { positionViolations, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import { type MembershipReferences } from './references.ts';
import { type MembershipRow } from './reads.ts';
import type { OrganizationRow } from '../organizations/reads.ts';
import { isRowVisible, isOrganizationVisible } from '../organizations/visibility.ts';

/**
 * Members join an active organization. A draft prepares those of its own account, whom nobody else has to answer for;
 * of a closed one only those are still told who had left it.
 */
function joinViolation(
  { status, accountId }: OrganizationRow,
  person: string | null,
  endDate: string | null | undefined,
): Violation | null {
  if (status === 'ACTIVE' || (status === 'DRAFT' && (person === null || person === accountId))) return null;
  if (status === 'CLOSED' && endDate && endDate <= latestToday()) return null;
  const detail =
    status === 'CLOSED'
      ? 'This organization is closed: only a membership with an endDate in the past can be added.'
      : `This organization is ${status}: members of other accounts join an active one.`;
  return { pointer: '/organizationId', code: 'not_active', detail };
}

/** A membership does not end before it starts. */
export function endViolation({
  startDate,
  endDate,
}: {
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
}) {
  if (!startDate || !endDate || startDate <= endDate) return null;
  return { pointer: '/endDate', code: 'before_start', detail: `The membership starts on ${startDate}: it cannot end before.` };
}

/** The row that an input describes, with its two sides. Throws Problem validation_failed (422) or not_owner (403). */
export function resolve(
  viewer: Viewer,
  input: CreateMembershipInput,
  facts: MembershipReferences,
): Partial<MembershipRow> & { accountId: string } {
  const { externalIds: _, personId, ...rest } = input;
  const athlete = personId ? facts.athletes.get(personId) : undefined;
  const named = input.organizationId ? facts.organizations.get(input.organizationId) : undefined;
  const organization = named && isOrganizationVisible(viewer, named) ? named : undefined;
  const namedTeam = input.teamId ? facts.teams.get(input.teamId) : undefined;
  const team = namedTeam && isRowVisible(viewer, namedTeam) ? namedTeam : undefined;
  const isAthlete = input.personType === 'ATHLETE';
  const knowsAthlete = athlete !== undefined && (athlete.public || owns(viewer, athlete.accountId) || hasFullAccess(viewer));
  const type = input.type ?? 'PERMANENT';
  const sport = input.sport ?? team?.sport ?? athlete?.sports.find((each) => each.primary)?.sport ?? null;
  rejectInvalid([
    isAthlete && !personId && { pointer: '/personId', code: 'required', detail: 'An athlete is named by personId.' },
    isAthlete &&
      !!personId &&
      !knowsAthlete && { pointer: '/personId', code: 'unknown_athlete', detail: 'There is no athlete with this id.' },
    !isAthlete &&
      !!personId && { pointer: '/personId', code: 'not_for_type', detail: 'Staff and recruiters are named by personName.' },
    !isAthlete &&
      !input.personName && { pointer: '/personName', code: 'required', detail: 'Staff and recruiters are named by personName.' },
    isAthlete &&
      !!input.personName && { pointer: '/personName', code: 'not_for_type', detail: 'An athlete is named by personId.' },
    !!input.organizationId && !organization && unknownOrganizationViolation('/organizationId'),
    organization ? joinViolation(organization, athlete?.accountId ?? null, input.endDate) : null,
    !!input.teamId && !team && { pointer: '/teamId', code: 'unknown_team', detail: 'There is no team with this id.' },
    !!team &&
      !!organization &&
      team.organizationId !== organization.id && {
        pointer: '/teamId',
        code: 'foreign_team',
        detail: 'The team belongs to another organization.',
      },
    !input.organizationId &&
      !team?.country && {
        pointer: '/organizationId',
        code: 'required',
        detail: 'Only a membership in a national team has no organization.',
      },
    (type === 'NATIONAL') !== !!team?.country && {
      pointer: '/type',
      code: 'national_team',
      detail: 'NATIONAL and a team with a country belong together.',
    },
    ...(sport ? positionViolations('/positions', sport, input.positions) : []),
    endViolation(input),
  ]);
  const accountId = organization?.accountId ?? team?.accountId ?? '';
  return {
    ...(rest as Partial<MembershipRow>),
    accountId,
    personAccountId: athlete?.accountId ?? null,
    athleteId: personId ?? null,
    type,
    sport,
    status: initialStatus(viewer, accountId, isAthlete ? (athlete?.accountId ?? null) : accountId),
  };
}

/** ACTIVE where the asker is both sides; otherwise the other side has to answer. */
function initialStatus(viewer: Viewer, organizationSide: string, personSide: string | null): MembershipStatus {
  const organizationAsks = owns(viewer, organizationSide);
  const personAsks = owns(viewer, personSide);
  if (!organizationAsks && !personAsks)
    throw new Problem('not_owner', 'A membership is made by the account of its organization or of its athlete.');
  return organizationAsks && personAsks ? 'ACTIVE' : organizationAsks ? 'INVITED' : 'REQUESTED';
}

/** What the viewer is in a membership: the side that was asked is the counterpart until it answered. */
export function actorsOf(viewer: Viewer, row: MembershipRow): Actor[] {
  const organizationSide = owns(viewer, row.accountId);
  const personSide = owns(viewer, row.personAccountId);
  if (!organizationSide && !personSide) return [];
  const asked = row.status === 'INVITED' ? personSide : row.status === 'REQUESTED' ? organizationSide : true;
  const asker = row.status === 'INVITED' ? organizationSide : row.status === 'REQUESTED' ? personSide : true;
  return [...(asker ? (['OWNER'] as const) : []), ...(asked ? (['COUNTERPART'] as const) : [])];
}
