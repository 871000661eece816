/** The two parties of a membership: how a new one starts, and what each party can do. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import type { InputPatch } from '../../../platform/database/table.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import type { Actor } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isAthleteVisible } from '../../clients/athlete-facts.ts';
import { isOrganizationVisible, isRowVisible } from '../organizations/visibility.ts';
import type { CreateMembershipInput, MembershipStatus, MembershipType } from '../generated/resolvers.ts';
import type { MembershipReferences } from './references.ts';
import { membershipResource, memberships, type MembershipRow } from './rows.ts';
import { membershipViolations, type NewMembership } from './rules.ts';

/** The values of a new membership. */
export type NewMembershipValues = InputPatch<MembershipRow> & {
  readonly accountId: string;
  readonly athleteId: string | null;
  readonly type: MembershipType;
  readonly status: MembershipStatus;
};

/** A referenced row, if the viewer can read it. */
function findVisible<Row>(
  rows: ReadonlyMap<string, Row>,
  id: string | null | undefined,
  isVisible: (row: Row) => boolean,
): Row | undefined {
  const row = id ? rows.get(id) : undefined;
  return row && isVisible(row) ? row : undefined;
}

/** What an input refers to, as far as the viewer can read it. The sport defaults to that of the team or the athlete. */
function resolveReferences(viewer: Viewer, input: CreateMembershipInput, references: MembershipReferences): NewMembership {
  const athlete = input.personId ? references.athletes.get(input.personId) : undefined;
  const team = findVisible(references.teams, input.teamId, (row) => isRowVisible(viewer, row));
  return {
    organization: findVisible(references.organizations, input.organizationId, (row) => isOrganizationVisible(viewer, row)),
    team,
    athleteAccountId: athlete?.accountId ?? null,
    isAthleteVisible: isAthleteVisible(athlete, viewer),
    sport: input.sport ?? team?.sport ?? athlete?.sports.find((each) => each.primary)?.sport ?? null,
  };
}

/** The values of the membership that an input describes. Throws Problem validation_failed (422) or not_owner (403). */
export function resolveMembership(
  viewer: Viewer,
  input: CreateMembershipInput,
  references: MembershipReferences,
): NewMembershipValues {
  const { externalIds: _, personId, ...rest } = input;
  const resolved = resolveReferences(viewer, input, references);
  rejectInvalid(membershipViolations(input, resolved));
  const { organization, team, athleteAccountId, sport } = resolved;
  const accountId = organization?.accountId ?? team?.accountId ?? '';
  return {
    ...rowValues(memberships, rest),
    accountId,
    personAccountId: athleteAccountId,
    athleteId: personId ?? null,
    type: input.type ?? 'PERMANENT',
    sport,
    status: initialStatus(viewer, accountId, input.personType === 'ATHLETE' ? athleteAccountId : accountId),
  };
}

/** ACTIVE when the caller is both parties, otherwise a proposal to the other party. Throws Problem not_owner (403). */
function initialStatus(viewer: Viewer, organizationAccountId: string, personAccountId: string | null): MembershipStatus {
  const isOrganization = owns(viewer, organizationAccountId);
  const isPerson = owns(viewer, personAccountId);
  if (isOrganization && isPerson) return 'ACTIVE';
  if (isOrganization) return 'INVITED';
  if (isPerson) return 'REQUESTED';
  throw new Problem('not_owner', 'Only the account of the organization or of the athlete can create a membership.');
}

const proposers: Partial<Record<MembershipStatus, 'organization' | 'person'>> = {
  INVITED: 'organization',
  REQUESTED: 'person',
};

/** The roles of the viewer in a membership. While it is proposed, the party that has to respond is only the COUNTERPART. */
export function actorsOf(viewer: Viewer, row: MembershipRow): Actor[] {
  const isParty = { organization: owns(viewer, row.accountId), person: owns(viewer, row.personAccountId) };
  if (!isParty.organization && !isParty.person) return [];
  const proposer = proposers[row.status];
  if (proposer === undefined) return ['OWNER', 'COUNTERPART'];
  const responder = proposer === 'organization' ? 'person' : 'organization';
  return [...(isParty[proposer] ? (['OWNER'] as const) : []), ...(isParty[responder] ? (['COUNTERPART'] as const) : [])];
}

/** Locks a membership for one of its parties. Throws Problem not_found (404) or not_owner (403). */
export const lockForParty = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<MembershipRow> =>
  lockAsParty(
    transaction,
    membershipResource,
    id,
    ({ accountId, personAccountId }) => owns(viewer, accountId) || owns(viewer, personAccountId),
  );
