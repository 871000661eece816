/** Writes single replays. A replay belongs to the account of its match, or without a match to the account of its athlete. */
import { owns } from '../../../schema/viewer.ts';
import { lockForTransition, lockOwnedAt, removeOwned, requireDraft } from '../../../platform/writes/lifecycle.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateReplayInput, ReplayTagInput, UpdateReplayInput } from '../generated/resolvers.ts';
import { insertReplay } from './insert.ts';
import { patchReplay } from './patch.ts';
import { publishAsModerator, publishAsOwner } from './publish.ts';
import type { ReplayReads } from './reads.ts';
import { moderates, replayModeration, replayTransitions, statusAt } from './rules.ts';
import { replayResource, type ReplayRow } from './rows.ts';
import { addTag, removeTag } from './tags.ts';
import { changeStatus, reviewIfMinor } from './transitions.ts';
import { replayValues } from './values.ts';
import { administratorReads } from './visibility.ts';

type Key = string | null | undefined;

interface Transition {
  readonly id: string;
  readonly idempotencyKey?: Key;
}

/** Creates the writes of the facts and tags of replays. */
export function createReplayWrites({ writer }: AreaServices, reads: ReplayReads) {
  const reloading = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateReplayInput, key: Key): Promise<ReplayRow> {
      const athletes = await athletesById(context, [input.athleteId]);
      const work = (transaction: WriteTransaction) => insertReplay(transaction, context.viewer, input, athletes);
      return writer.write(context, work, reloading(context, 'createReplay', key, input));
    },
    async update(context: Context, id: string, input: UpdateReplayInput, ifMatch: string): Promise<ReplayRow> {
      const [current] = input.url ? await reads.read([id]) : [];
      const athletes = await athletesById(context, current?.athleteIds ?? []);
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, replayResource, context.viewer, { id, ifMatch });
        return patchReplay(transaction, before, replayValues(input), input.externalIds, athletes);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<ReplayRow> {
      const check = requireDraft('Only a draft can be deleted. Hide this replay instead.');
      return writer.write(context, (transaction) =>
        removeOwned(transaction, replayResource, context.viewer, { id, ifMatch }, check),
      );
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
        const row = await lockOwnedAt(transaction, replayResource, context.viewer, { id, ifMatch });
        return removeTag(transaction, row, tagId);
      });
    },
  };
}

/** Creates the transitions of replays. */
export function createReplayTransitions({ writer }: AreaServices, reads: ReplayReads) {
  const reloading = replaysOf(reads.byId);
  const reloadingModerated = replaysOf(reads.moderated);

  return {
    /** As the owner from DRAFT, HIDDEN or EXPIRED, as a moderator from REVIEW. */
    async publish(context: Context, { id, idempotencyKey }: Transition): Promise<ReplayRow> {
      const { viewer } = context;
      const [current] = await reads.read([id]);
      const isOwner = current !== undefined && owns(viewer, current.accountId) && viewer.scopes.includes('competitions:write');
      if (current && (isOwner || !moderates(viewer))) {
        // Queried before the transaction, so that no connection waits for another area.
        const athletes = await athletesById(context, current.athleteIds);
        const work = (transaction: WriteTransaction) => publishAsOwner(transaction, viewer, current, athletes);
        return writer.write(context, work, reloading(context, 'publishReplay', idempotencyKey, { id }));
      }
      const path = { id, matchId: current?.matchId ?? null };
      const work = (transaction: WriteTransaction) => publishAsModerator(transaction, viewer, path);
      const replay = reloadingModerated(context, 'publishReplay', idempotencyKey, { id });
      return administratorReads.written(context, await writer.write(context, work, replay));
    },
    hide(context: Context, { id, idempotencyKey }: Transition): Promise<ReplayRow> {
      const work = async (transaction: WriteTransaction): Promise<ReplayRow> => {
        const { viewer } = context;
        const found = await lockForTransition(transaction, replayResource, replayTransitions, viewer, 'hide', id, statusAt);
        const { row, status } = found;
        return changeStatus(transaction, row, 'hide', { status, reviewedAthleteIds: [] });
      };
      return writer.write(context, work, reloading(context, 'hideReplay', idempotencyKey, { id }));
    },
    async takeDown(
      context: Context,
      { id, reason, idempotencyKey }: Transition & { readonly reason: string },
    ): Promise<ReplayRow> {
      const work = async (transaction: WriteTransaction): Promise<ReplayRow> => {
        const { viewer } = context;
        const found = await lockForTransition(transaction, replayResource, replayModeration, viewer, 'take-down', id, statusAt);
        const { row, status } = found;
        return changeStatus(transaction, row, 'take-down', { status, statusReason: reason }, { reason });
      };
      const replay = reloadingModerated(context, 'takeDownReplay', idempotencyKey, { id, reason });
      return administratorReads.written(context, await writer.write(context, work, replay));
    },
  };
}
