/** Replays: their writes. A replay belongs to the account of its match, or of its athlete. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  lockForModeration,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { athletesById, type AthletesById } from '../../clients/athlete-facts.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { moderates, overViolation, replayModeration, replayTransitions, statusAt } from './rules.ts';
import type { CreateReplayInput, ReplayTagInput, UpdateReplayInput } from '../resolvers.generated.ts';
import { holdMatch, insertReplay } from './insert.ts';
import { replayResource, type ReplayRow } from './rows.ts';
import type { ReplayStore } from './reads.ts';
import { about, expireIfOver, move, reviewIfMinor, showsMinor } from './transitions.ts';
import { addTag, removeTag } from './tags.ts';
import { factsOf, replayValues } from './values.ts';

type Key = string | null | undefined;

interface Step {
  readonly id: string;
  readonly idempotencyKey?: Key;
}

/** Patches a locked replay. Its rights may be over before or after; another recording of a minor is reviewed again. */
async function patch(
  transaction: WriteTransaction,
  before: ReplayRow,
  values: Partial<ReplayRow>,
  externalIds: readonly ExternalId[] | null | undefined,
  athletes: AthletesById,
): Promise<ReplayRow> {
  const row = await expireIfOver(transaction, before);
  const isOther = values.url !== undefined && values.url !== row.url;
  const given = isOther ? { ...values, reviewedAthleteIds: [] } : values;
  const patched = await patchResource(transaction, replayResource, row, given, externalIds, about(row));
  const left = await expireIfOver(transaction, patched);
  return isOther ? reviewIfMinor(transaction, left, athletes) : left;
}

/** Writes of replays over the area's database. */
export function createReplayWrites({ writer }: AreaServices, store: ReplayStore) {
  const reloading = replaysOf(store.byId);
  const reloadingModerated = replaysOf(store.moderated);

  async function lockAt(transaction: WriteTransaction, context: Context, id: string, ifMatch: string): Promise<ReplayRow> {
    const row = await lockOwned(transaction, replayResource, context.viewer, id);
    requireVersion(ifMatch, row.version);
    return row;
  }

  /** Publishes as the owner: for a moderator to look at where a minor is seen. */
  async function publishOwn(transaction: WriteTransaction, context: Context, seen: ReplayRow, athletes: AthletesById) {
    // The match first, as its own publication does: two who lock in the same order never wait for each other.
    const match = await holdMatch(transaction, seen.matchId);
    const row = await lockOwned(transaction, replayResource, context.viewer, seen.id);
    const status = nextState(replayTransitions, 'publish', statusAt(row), ['OWNER']);
    rejectInvalid([overViolation(row.expiresAt)]);
    const next = { ...row, reviewedAthleteIds: [] };
    const waits = showsMinor(next, athletes);
    const values = waits ? { status: 'REVIEW' as const } : { status, published: match?.published !== false };
    return move(transaction, row, 'publish', { ...values, reviewedAthleteIds: [] });
  }

  async function publishModerated(transaction: WriteTransaction, context: Context, id: string, matchId: string | null) {
    const match = await holdMatch(transaction, matchId);
    const row = await lockForModeration(transaction, replayResource, context.viewer, id);
    const status = nextState(replayModeration, 'publish', statusAt(row), ['MODERATOR']);
    const values = { status, published: match?.published !== false, reviewedAthleteIds: row.athleteIds };
    return move(transaction, row, 'publish', values);
  }

  return {
    async create(context: Context, input: CreateReplayInput, key: Key): Promise<ReplayRow> {
      const athletes = await athletesById(context, [input.athleteId]);
      const work = (transaction: WriteTransaction) => insertReplay(transaction, context.viewer, input, athletes);
      return writer.write(context, work, reloading(context, 'createReplay', key, input));
    },
    async update(context: Context, id: string, input: UpdateReplayInput, ifMatch: string): Promise<ReplayRow> {
      const [seen] = input.url ? await store.read([id]) : [];
      const athletes = await athletesById(context, seen?.athleteIds ?? []);
      return writer.write(context, async (transaction) => {
        const before = await lockAt(transaction, context, id, ifMatch);
        return patch(transaction, before, replayValues(input), input.externalIds, athletes);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<ReplayRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockAt(transaction, context, id, ifMatch);
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted; hide the replay instead.');
        await removeRow(transaction, replayResource, row);
        return row;
      });
    },
    async tag(context: Context, id: string, input: ReplayTagInput, key: Key): Promise<ReplayRow> {
      const athletes = await athletesById(context, [input.athleteId]);
      const work = async (transaction: WriteTransaction): Promise<ReplayRow> => {
        const row = await lockOwned(transaction, replayResource, context.viewer, id);
        const tagged = await addTag(transaction, context.viewer, row, input, athletes);
        return reviewIfMinor(transaction, tagged, athletes, [input.athleteId]);
      };
      return writer.write(context, work, reloading(context, 'addReplayTag', key, { id, ...input }));
    },
    untag(context: Context, id: string, tagId: string, ifMatch: string): Promise<ReplayRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockAt(transaction, context, id, ifMatch);
        return removeTag(transaction, row, tagId);
      });
    },
    /** As the owner from DRAFT, HIDDEN or EXPIRED, as a moderator from REVIEW. */
    async publish(context: Context, { id, idempotencyKey }: Step): Promise<ReplayRow> {
      const { viewer } = context;
      const [seen] = await store.read([id]);
      const isOwner = seen !== undefined && owns(viewer, seen.accountId) && viewer.scopes.includes('competitions:write');
      if (seen && (isOwner || !moderates(viewer))) {
        // Asked before the transaction, so that no connection waits for another area.
        const athletes = await athletesById(context, seen.athleteIds);
        const work = (transaction: WriteTransaction) => publishOwn(transaction, context, seen, athletes);
        return writer.write(context, work, reloading(context, 'publishReplay', idempotencyKey, { id }));
      }
      const work = (transaction: WriteTransaction) => publishModerated(transaction, context, id, seen?.matchId ?? null);
      return writer.write(context, work, reloadingModerated(context, 'publishReplay', idempotencyKey, { id }));
    },
    hide(context: Context, { id, idempotencyKey }: Step): Promise<ReplayRow> {
      const work = async (transaction: WriteTransaction): Promise<ReplayRow> => {
        const row = await lockOwned(transaction, replayResource, context.viewer, id);
        const status = nextState(replayTransitions, 'hide', statusAt(row), ['OWNER']);
        return move(transaction, row, 'hide', { status, reviewedAthleteIds: [] });
      };
      return writer.write(context, work, reloading(context, 'hideReplay', idempotencyKey, { id }));
    },
    takeDown(context: Context, { id, reason, idempotencyKey }: Step & { readonly reason: string }): Promise<ReplayRow> {
      const work = async (transaction: WriteTransaction): Promise<ReplayRow> => {
        const row = await lockForModeration(transaction, replayResource, context.viewer, id);
        const status = nextState(replayModeration, 'take-down', statusAt(row), ['MODERATOR']);
        return move(transaction, row, 'take-down', { status, statusReason: reason }, { reason });
      };
      return writer.write(context, work, reloadingModerated(context, 'takeDownReplay', idempotencyKey, { id, reason }));
    },
    async upsert(context: Context, items: readonly CreateReplayInput[], idempotencyKey: Key): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const seen = await store.athletesOfExternal(accountId, items);
      const athletes = await athletesById(context, [...seen, ...items.map(({ athleteId }) => athleteId)]);
      const constraints = competitionConstraints;
      const request = { operation: 'upsertReplays', idempotencyKey, items, orderBy: externalIdOrder, constraints };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'replay', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insertReplay(transaction, context.viewer, item, athletes));
        const before = await lockRow(transaction, replayResource, id);
        rejectInvalid(
          (['matchId', 'athleteId'] as const).map(
            (member) =>
              (item[member] ?? null) !== before[member] && {
                pointer: `/${member}`,
                code: 'immutable',
                detail: 'A replay stays with its match and its athlete.',
              },
          ),
        );
        return upsertOutcome(before, await patch(transaction, before, replayValues(factsOf(item)), item.externalIds, athletes));
      });
    },
  };
}
