/** Writes parts of a season: functions over a description of each kind of part. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  insertWith,
  lockOwned,
  lockRow,
  patchWith,
  removeRow,
  requireAccount,
  resourceNotFound,
  type Resource,
} from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type BatchRead, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import type { RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';
import type { SeasonRow } from '../seasons/rows.ts';
import { lockOpenSeason } from './implied-parts.ts';
import type { SeasonPartRow } from './rows.ts';

export interface PartInput {
  readonly externalIds?: readonly ExternalId[] | null | undefined;
}

/** The context of a write of one part. */
export interface PartWrite<Facts> {
  readonly transaction: WriteTransaction;
  readonly viewer: Viewer;
  /** Locked until the commit. */
  readonly season: SeasonRow;
  /** Facts of other areas about the resources that the inputs refer to. */
  readonly facts: Facts;
}

/** `fetchFacts` of parts that refer to no other area. */
export const noFacts = (): Promise<null> => Promise.resolve(null);

export interface PartDescription<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts> {
  readonly resource: Resource<Row>;
  /** Its mutations are `create…`, `update…` and `upsert…`. */
  readonly title: string;
  readonly plural: string;
  /** Members that cannot change. A batch item may repeat the stored value. */
  readonly immutable: readonly (keyof Row & keyof Create & string)[];
  /** Queries other areas, once for all inputs and rows. */
  readonly fetchFacts: (context: Context, named: readonly (Update | Row)[]) => Promise<Facts>;
  /** Reads and locks the rows of the season that the inputs refer to, with a constant number of statements. */
  readonly lockReferences?: (write: PartWrite<Facts>, inputs: readonly Create[]) => Promise<Facts>;
  /** The values of a new row. Throws Problem validation_failed (422). */
  readonly newValues: (write: PartWrite<Facts>, input: Create) => Promise<Partial<Row>>;
  /** The values that a merge patch sets: absent members stay, null deletes. Throws Problem validation_failed (422). */
  readonly patchValues: (write: PartWrite<Facts>, before: Row, input: Update) => Promise<Partial<Row>>;
  /** The rankings that depend on the row: those of a contest or a stage, or by default those of the whole season. */
  readonly rankingScope: (row: Row) => Partial<Pick<RankingScope, 'contestId' | 'stageId'>>;
  /** Updates other rows that depend on a changed row. */
  readonly afterChange?: (transaction: WriteTransaction, before: Row, after: Row) => Promise<void>;
  /**
   * Checks a created or changed row against the recomputed rankings. Batches skip it, because their items may arrive before the results.
   * Throws Problem validation_failed (422).
   */
  readonly afterRanking?: (transaction: WriteTransaction, row: Row) => Promise<void>;
  /** Throws Problem in_use (409) for references that no foreign key protects. */
  readonly beforeDelete?: (transaction: WriteTransaction, row: Row) => Promise<void>;
}

interface Path {
  readonly seasonId: string;
  readonly id: string;
}

const immutableViolation = (member: string): Violation => ({
  pointer: `/${member}`,
  code: 'immutable',
  detail: `\`${member}\` cannot change. Delete the resource and create another one, or repeat the stored value.`,
});

/** Creates, changes and locks single rows of one kind of part. */
function createRowWrites<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts>(
  part: PartDescription<Row, Update, Create, Facts>,
) {
  const { resource } = part;
  const name = resource.type.replaceAll('_', ' ').replace('tie break', 'tie-break');

  const scopeOf = (row: Row): RankingScope => {
    const { contestId = null, stageId = null } = part.rankingScope(row);
    return { seasonId: row.seasonId, contestId, stageId, groupName: null };
  };

  /** Locks the season and everything that the inputs refer to. */
  async function open(write: Omit<PartWrite<Facts>, 'season'>, seasonId: string, inputs: readonly Create[]) {
    const season = await lockOpenSeason(write.transaction, write.viewer, seasonId);
    const facts = (await part.lockReferences?.({ ...write, season }, inputs)) ?? write.facts;
    return { ...write, season, facts };
  }

  async function insert(write: PartWrite<Facts>, input: Create): Promise<Row> {
    const { id: seasonId, accountId, published, sport } = write.season;
    const values = await part.newValues(write, input);
    // Cast: every row type extends SeasonPartRow, which TypeScript does not derive for a Partial of a type parameter.
    const row = { ...values, seasonId, accountId, published, sport } as Partial<Row> & { accountId: string };
    return insertWith(write.transaction, resource, row, input.externalIds, { seasonId });
  }

  async function patch(write: PartWrite<Facts>, before: Row, input: Update): Promise<Row> {
    const values = await part.patchValues(write, before, input);
    const data = { seasonId: before.seasonId };
    const after = await patchWith(write.transaction, resource, before, values, input.externalIds, data);
    if (after.version !== before.version) await part.afterChange?.(write.transaction, before, after);
    return after;
  }

  async function lock(transaction: WriteTransaction, viewer: Viewer, { seasonId, id }: Path): Promise<Row> {
    const row = await lockOwned(transaction, resource, viewer, id);
    if (row.seasonId !== seasonId) throw resourceNotFound(resource.type, id);
    return row;
  }

  /** Creates or updates the row of a batch item. */
  async function upsert(write: PartWrite<Facts>, accountId: string, item: Create): Promise<{ before: Row | null; after: Row }> {
    const id = await findByExternalId(write.transaction, resource.type, accountId, firstExternalId(item));
    if (id === null) return { before: null, after: await insert(write, item) };
    const before = await lockRow(write.transaction, resource, id);
    if (before.seasonId !== write.season.id) {
      const detail = `The external ID belongs to a ${name} of another season. Use another external ID.`;
      throw new Problem('conflict', detail, { existingId: id });
    }
    const given = part.immutable.filter((member) => item[member] !== undefined && item[member] !== null);
    rejectInvalid(given.map((member) => !isDeepStrictEqual(item[member], before[member]) && immutableViolation(member)));
    return { before, after: await patch(write, before, item) };
  }

  return { scopeOf, open, insert, patch, lock, upsert };
}

/** Creates the batch upsert of one kind of part. */
function createBatchUpsert<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts>(
  writer: AreaServices['writer'],
  part: PartDescription<Row, Update, Create, Facts>,
  rows: ReturnType<typeof createRowWrites<Row, Update, Create, Facts>>,
) {
  return async (
    context: Context,
    seasonId: string,
    items: readonly Create[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> => {
    const accountId = requireAccount(context.viewer);
    const { viewer } = context;
    const facts = await part.fetchFacts(context, items);
    let write: PartWrite<Facts> | null = null;
    const scopes = new Map<string, RankingScope>();
    const request: BatchRequest<Create> = {
      // The season is part of the operation: the same key with another season is another request.
      operation: `upsert${part.plural} ${seasonId}`,
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: competitionConstraints,
      beforeItems: async (transaction: WriteTransaction) => {
        write = await rows.open({ transaction, viewer, facts }, seasonId, items);
      },
      afterItems: async (transaction: WriteTransaction) => {
        await refreshRankings(transaction, [...scopes.values()]);
      },
    };
    return writeBatch(writer, context, request, async (transaction, item) => {
      if (!write) throw new Error('the batch has not locked its season');
      const { before, after } = await rows.upsert({ ...write, transaction }, accountId, item);
      const scope = rows.scopeOf(after);
      if (before?.version !== after.version) scopes.set(JSON.stringify(scope), scope);
      return upsertOutcome(before, after);
    });
  };
}

/** Creates the writes of one kind of part. */
export function createPartWrites<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts>(
  { writer }: AreaServices,
  reads: { readonly byId: BatchRead<string, Row | null>; readonly read: (ids: readonly string[]) => Promise<Row[]> },
  part: PartDescription<Row, Update, Create, Facts>,
) {
  const rows = createRowWrites(part);
  const reloading = replaysOf(reads.byId);

  return {
    async create(context: Context, seasonId: string, input: Create, key: string | null | undefined): Promise<Row> {
      requireAccount(context.viewer);
      const { viewer } = context;
      const facts = await part.fetchFacts(context, [input]);
      const work = async (transaction: WriteTransaction): Promise<Row> => {
        const row = await rows.insert(await rows.open({ transaction, viewer, facts }, seasonId, [input]), input);
        await refreshRankings(transaction, [rows.scopeOf(row)]);
        await part.afterRanking?.(transaction, row);
        return row;
      };
      return writer.write(context, work, reloading(context, `create${part.title}`, key, { seasonId, input }));
    },
    async update(context: Context, { seasonId, id }: Path, input: Update, ifMatch: string): Promise<Row> {
      const { viewer } = context;
      const facts = await part.fetchFacts(context, [input, ...(await reads.read([id]))]);
      return writer.write(context, async (transaction) => {
        const season = await lockOpenSeason(transaction, viewer, seasonId);
        const before = await rows.lock(transaction, viewer, { seasonId, id });
        requireVersion(ifMatch, before.version);
        const after = await rows.patch({ transaction, viewer, season, facts }, before, input);
        if (after.version === before.version) return after;
        await refreshRankings(transaction, [rows.scopeOf(after)]);
        await part.afterRanking?.(transaction, after);
        return after;
      });
    },
    async remove(context: Context, { seasonId, id }: Path, ifMatch: string): Promise<{ id: string; deleted: boolean }> {
      await writer.write(context, async (transaction) => {
        await lockOpenSeason(transaction, context.viewer, seasonId);
        const row = await rows.lock(transaction, context.viewer, { seasonId, id });
        requireVersion(ifMatch, row.version);
        await part.beforeDelete?.(transaction, row);
        await removeRow(transaction, part.resource, row);
        await refreshRankings(transaction, [rows.scopeOf(row)]);
        return row;
      });
      return { id, deleted: true };
    },
    upsert: createBatchUpsert(writer, part, rows),
  };
}
