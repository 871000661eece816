/** Memberships: their writes, and which side may make them. */
import { Problem, refuse } from '../../../schema/errors.ts';
import { owns, seesEverything, type Viewer } from '../../../schema/viewer.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/external-id.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import { changeRow, insertResource, lockRow, patchResource, requireAccount } from '../../../platform/resource.ts';
import { nextState, type Actor } from '../../../platform/transition.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, Context } from '../../subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type {
  CreateMembershipInput,
  MembershipStatus,
  TransferMembershipInput,
  UpdateMembershipInput,
} from '../resolvers.generated.ts';
import { positionFaults } from '../../faults.ts';
import { membershipTransitions, type MembershipVerb } from '../rules.ts';
import { gatherFacts, type MembershipFacts } from './membership-facts.ts';
import { membershipResource, type MembershipRow, type MembershipStore } from './membership.ts';
import { maySeeOrganization, type OrganizationRow } from './organization.ts';
import type { TeamRow } from './team.ts';

interface Readers {
  readonly organizations: (ids: readonly string[]) => Promise<OrganizationRow[]>;
  readonly teams: (ids: readonly string[]) => Promise<TeamRow[]>;
}

/** The row that an input describes, with its two sides. Throws Problem validation_failed (422) or not_owner (403). */
function resolve(
  viewer: Viewer,
  input: CreateMembershipInput,
  facts: MembershipFacts,
): Partial<MembershipRow> & { accountId: string } {
  const { externalIds: _, personId, ...rest } = input;
  const athlete = personId ? facts.athletes.get(personId) : undefined;
  const named = input.organizationId ? facts.organizations.get(input.organizationId) : undefined;
  const organization = named && maySeeOrganization(viewer, named) ? named : undefined;
  const team = input.teamId ? facts.teams.get(input.teamId) : undefined;
  const isAthlete = input.personType === 'ATHLETE';
  const knowsAthlete = athlete !== undefined && (athlete.public || owns(viewer, athlete.accountId) || seesEverything(viewer));
  const type = input.type ?? 'PERMANENT';
  const sport = input.sport ?? team?.sport ?? athlete?.sports.find((each) => each.primary)?.sport ?? null;
  refuse([
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
    !!input.organizationId &&
      !organization && {
        pointer: '/organizationId',
        code: 'unknown_organization',
        detail: 'There is no organization with this id.',
      },
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
    ...(sport ? positionFaults('/positions', sport, input.positions) : []),
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
function actorsOf(viewer: Viewer, row: MembershipRow): Actor[] {
  const organizationSide = owns(viewer, row.accountId);
  const personSide = owns(viewer, row.personAccountId);
  if (!organizationSide && !personSide) return [];
  const asked = row.status === 'INVITED' ? personSide : row.status === 'REQUESTED' ? organizationSide : true;
  const asker = row.status === 'INVITED' ? organizationSide : row.status === 'REQUESTED' ? personSide : true;
  return [...(asker ? (['OWNER'] as const) : []), ...(asked ? (['COUNTERPART'] as const) : [])];
}

async function lockAsSide(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<MembershipRow> {
  const row = await lockRow(transaction, membershipResource, id);
  if (owns(viewer, row.accountId) || owns(viewer, row.personAccountId)) return row;
  if (membershipResource.isPublic(row)) throw new Problem('not_owner', 'This membership is between other accounts.');
  throw new Problem('not_found', `There is no membership with the id ${id}.`);
}

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
const today = (): string => new Date().toISOString().slice(0, 10);

/** Writes of memberships over the area's database. */
export function createMembershipWrites({ writer }: AreaServices, store: MembershipStore, read: Readers) {
  const insert = (
    transaction: WriteTransaction,
    viewer: Viewer,
    input: CreateMembershipInput,
    facts: MembershipFacts,
  ): Promise<MembershipRow> => {
    const values = resolve(viewer, input, facts);
    return insertResource(
      transaction,
      membershipResource,
      values,
      input.externalIds,
      values.athleteId ? { athleteId: values.athleteId } : {},
    );
  };
  const reloading = (context: Context, operation: string, key: string | null | undefined, input: unknown) => ({
    operation,
    key,
    input,
    reload: (id: string) => context.load(store.byId, id),
  });

  return {
    async create(context: Context, input: CreateMembershipInput, key: string | null | undefined): Promise<MembershipRow> {
      requireAccount(context.viewer);
      const facts = await gatherFacts(context, read, [input]);
      return writer.write(
        context,
        (transaction) => insert(transaction, context.viewer, input, facts),
        reloading(context, 'createMembership', key, input),
      );
    },
    update(context: Context, id: string, input: UpdateMembershipInput, ifMatch: string): Promise<MembershipRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockAsSide(transaction, context.viewer, id);
        if (!owns(context.viewer, before.accountId))
          throw new Problem('not_owner', 'Only the account of the organization changes the facts of a membership.');
        requireVersion(ifMatch, before.version);
        refuse(before.sport ? positionFaults('/positions', before.sport, input.positions) : []);
        const { externalIds, ...values } = input;
        return patchResource(transaction, membershipResource, before, values as Partial<MembershipRow>, externalIds);
      });
    },
    /** Takes a step of the state machine as the side the viewer is. */
    transition(
      context: Context,
      verb: MembershipVerb,
      {
        id,
        endDate,
        idempotencyKey,
      }: { id: string; endDate?: string | null | undefined; idempotencyKey?: string | null | undefined },
    ) {
      const step = async (transaction: WriteTransaction): Promise<MembershipRow> => {
        const row = await lockAsSide(transaction, context.viewer, id);
        const status = nextState(membershipTransitions, verb, row.status, actorsOf(context.viewer, row));
        const values = verb === 'end' ? { status, endDate: endDate ?? row.endDate ?? today() } : { status };
        return changeRow(transaction, membershipResource, row, values, { action: verb, event: 'membership.status_changed' });
      };
      return writer.write(context, step, reloading(context, `${verb}Membership`, idempotencyKey, { id, endDate }));
    },
    async transfer(
      context: Context,
      id: string,
      input: TransferMembershipInput,
      key: string | null | undefined,
    ): Promise<MembershipRow> {
      const { viewer } = context;
      const [known] = await store.read([id]);
      const facts = await gatherFacts(context, read, [{ ...input, personId: known?.athleteId ?? null }]);
      const step = async (transaction: WriteTransaction): Promise<MembershipRow> => {
        const before = await lockAsSide(transaction, viewer, id);
        const status = nextState(membershipTransitions, 'end', before.status, actorsOf(viewer, before));
        const next: CreateMembershipInput = {
          ...input,
          personType: before.personType,
          personId: before.athleteId,
          personName: before.personName,
          role: input.role ?? before.role,
          positions: before.positions,
        };
        if (resolve(viewer, next, facts).status !== 'ACTIVE') {
          throw new Problem(
            'not_owner',
            'A transfer in one step needs both sides of the new membership. End this one, and ask the other side with a new one.',
          );
        }
        await changeRow(
          transaction,
          membershipResource,
          before,
          { status, endDate: dayBefore(input.startDate) },
          { action: 'transfer', event: 'membership.transferred' },
        );
        return insert(transaction, viewer, next, facts);
      };
      return writer.write(context, step, reloading(context, 'transferMembership', key, { id, input }));
    },
    async upsert(
      context: Context,
      items: readonly CreateMembershipInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const facts = await gatherFacts(context, read, items);
      const request = {
        operation: 'upsertMemberships',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: organizationConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'membership', accountId, firstExternalId(item));
        if (id === null) return upserted(null, await insert(transaction, context.viewer, item, facts));
        const before = await lockAsSide(transaction, context.viewer, id);
        refuse([
          (item.personId ?? null) !== before.athleteId && {
            pointer: '/personId',
            code: 'immutable',
            detail: 'A membership keeps its person; end it and create another.',
          },
          (item.organizationId ?? null) !== before.organizationId && {
            pointer: '/organizationId',
            code: 'immutable',
            detail: 'A membership keeps its organization; transfer it instead.',
          },
          ...(before.sport ? positionFaults('/positions', before.sport, item.positions) : []),
        ]);
        const { role, startDate, endDate, contractUntil, shirtNumber, positions, externalIds } = item;
        const patch = { role, startDate, endDate, contractUntil, shirtNumber, positions: positions ?? undefined };
        return upserted(
          before,
          await patchResource(transaction, membershipResource, before, patch as Partial<MembershipRow>, externalIds),
        );
      });
    },
  };
}
