/** The writes that all parts of a season have in common: functions over a description of each kind. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  insertResource,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
  type Resource,
  resourceNotFound,
} from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type BatchRead, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import type { RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';
import type { SeasonPartRow } from './rows.ts';
import { holdOpenSeason } from './implied-parts.ts';
import type { SeasonRow } from '../seasons/reads.ts';

export interface PartInput {
  readonly externalIds?: readonly ExternalId[] | null | undefined;
}

/** What a write of one part is made in. */
export interface Writing<Facts> {
  readonly transaction: WriteTransaction;
  readonly viewer: Viewer;
  /** Held until the commit. */
  readonly season: SeasonRow;
  /** What other areas say of what the write names. */
  readonly facts: Facts;
}

export interface PartWriting<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts> {
  readonly resource: Resource<Row>;
  /** Its mutations are `create…`, `update…` and `upsert…`. */
  readonly title: string;
  readonly plural: string;
  /** Members of an input that a row keeps, as the row has them: a batch item may name them, and not change them. */
  readonly fixed: readonly (keyof Row & keyof Create & string)[];
  /** Asks other areas, once for all inputs and rows. */
  readonly gather: (context: Context, named: readonly (Update | Row)[]) => Promise<Facts>;
  /** Reads and holds what all inputs name of the season, in as many statements for many as for one. */
  readonly hold?: (writing: Writing<Facts>, inputs: readonly Create[]) => Promise<Facts>;
  /** The members of a new row. Throws Problem validation_failed (422). */
  readonly begin: (writing: Writing<Facts>, input: Create) => Promise<Partial<Row>>;
  /** The members that an input changes; absent ones stay, null deletes. Throws Problem validation_failed (422). */
  readonly change: (writing: Writing<Facts>, before: Row, input: Update) => Promise<Partial<Row>>;
  /** The rankings that a row counts in: a contest's, a stage's, or with neither all of the season. */
  readonly scope: (row: Row) => Partial<Pick<RankingScope, 'contestId' | 'stageId'>>;
  /** What a row takes along when it changes. */
  readonly changed?: (transaction: WriteTransaction, before: Row, after: Row) => Promise<void>;
  /** What is done before a row is deleted. Throws Problem in_use (409) for what no foreign key knows. */
  readonly leave?: (transaction: WriteTransaction, row: Row) => Promise<void>;
}

interface Path {
  readonly seasonId: string;
  readonly id: string;
}

const fixedViolation = (member: string): Violation => ({
  pointer: `/${member}`,
  code: 'immutable',
  detail: `This member does not change: delete it and make another one, or leave ${member} as it is.`,
});

/** Writes of one kind of parts over the area's database. */
export function createPartWrites<Row extends SeasonPartRow, Update extends PartInput, Create extends Update, Facts>(
  { writer }: AreaServices,
  store: { readonly byId: BatchRead<string, Row | null>; readonly read: (ids: readonly string[]) => Promise<Row[]> },
  part: PartWriting<Row, Update, Create, Facts>,
) {
  const { resource, title, plural } = part;
  const reloading = replaysOf(store.byId);
  const unknown = (id: string): Problem => resourceNotFound(resource.type, id);

  const scopeOf = (row: Row): RankingScope => {
    const { contestId = null, stageId = null } = part.scope(row);
    return { seasonId: row.seasonId, contestId, stageId, groupName: null };
  };

  async function begin(writing: Omit<Writing<Facts>, 'season'>, seasonId: string, inputs: readonly Create[]) {
    const season = await holdOpenSeason(writing.transaction, writing.viewer, seasonId);
    const facts = (await part.hold?.({ ...writing, season }, inputs)) ?? writing.facts;
    return { ...writing, season, facts };
  }

  async function insert(writing: Writing<Facts>, input: Create): Promise<Row> {
    const { id: seasonId, accountId, published, sport } = writing.season;
    const members = await part.begin(writing, input);
    // A row of any kind has what all parts have.
    const row = { ...members, seasonId, accountId, published, sport } as Partial<Row> & { accountId: string };
    return insertResource(writing.transaction, resource, row, input.externalIds, { seasonId });
  }

  async function patch(writing: Writing<Facts>, before: Row, input: Update): Promise<Row> {
    const members = await part.change(writing, before, input);
    const data = { seasonId: before.seasonId };
    const after = await patchResource(writing.transaction, resource, before, members, input.externalIds, data);
    if (after.version !== before.version) await part.changed?.(writing.transaction, before, after);
    return after;
  }

  async function lockPart(transaction: WriteTransaction, viewer: Viewer, { seasonId, id }: Path): Promise<Row> {
    const row = await lockOwned(transaction, resource, viewer, id);
    if (row.seasonId !== seasonId) throw unknown(id);
    return row;
  }

  /** Makes or changes the row of an item; `written` is told the rankings that it counts in. */
  async function upsertOne(writing: Writing<Facts>, accountId: string, item: Create, written: Map<string, RankingScope>) {
    const note = (before: Row | null, after: Row) => {
      const scope = scopeOf(after);
      if (before?.version !== after.version) written.set(JSON.stringify(scope), scope);
      return upsertOutcome(before, after);
    };
    const id = await findByExternalId(writing.transaction, resource.type, accountId, firstExternalId(item));
    if (id === null) return note(null, await insert(writing, item));
    const before = await lockRow(writing.transaction, resource, id);
    if (before.seasonId !== writing.season.id) {
      const detail = `The external id belongs to a ${resource.type} of another season: give this one an id of its own.`;
      throw new Problem('conflict', detail, { existingId: id });
    }
    const given = part.fixed.filter((member) => item[member] !== undefined && item[member] !== null);
    rejectInvalid(given.map((member) => !isDeepStrictEqual(item[member], before[member]) && fixedViolation(member)));
    return note(before, await patch(writing, before, item));
  }

  return {
    async create(context: Context, seasonId: string, input: Create, key: string | null | undefined): Promise<Row> {
      requireAccount(context.viewer);
      const { viewer } = context;
      const facts = await part.gather(context, [input]);
      const work = async (transaction: WriteTransaction): Promise<Row> => {
        const row = await insert(await begin({ transaction, viewer, facts }, seasonId, [input]), input);
        await refreshRankings(transaction, [scopeOf(row)]);
        return row;
      };
      return writer.write(context, work, reloading(context, `create${title}`, key, { seasonId, input }));
    },
    async update(context: Context, { seasonId, id }: Path, input: Update, ifMatch: string): Promise<Row> {
      const { viewer } = context;
      const facts = await part.gather(context, [input, ...(await store.read([id]))]);
      return writer.write(context, async (transaction) => {
        const season = await holdOpenSeason(transaction, viewer, seasonId);
        const before = await lockPart(transaction, viewer, { seasonId, id });
        requireVersion(ifMatch, before.version);
        const after = await patch({ transaction, viewer, season, facts }, before, input);
        if (after.version !== before.version) await refreshRankings(transaction, [scopeOf(after)]);
        return after;
      });
    },
    async remove(context: Context, { seasonId, id }: Path, ifMatch: string): Promise<{ id: string; deleted: boolean }> {
      await writer.write(context, async (transaction) => {
        await holdOpenSeason(transaction, context.viewer, seasonId);
        const row = await lockPart(transaction, context.viewer, { seasonId, id });
        requireVersion(ifMatch, row.version);
        await part.leave?.(transaction, row);
        await removeRow(transaction, resource, row);
        await refreshRankings(transaction, [scopeOf(row)]);
        return row;
      });
      return { id, deleted: true };
    },
    async upsert(
      context: Context,
      seasonId: string,
      items: readonly Create[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const { viewer } = context;
      const facts = await part.gather(context, items);
      let writing: Writing<Facts> | null = null;
      const written = new Map<string, RankingScope>();
      const request: BatchRequest<Create> = {
        // The same items for another season are another request.
        operation: `upsert${plural} ${seasonId}`,
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
        beforeItems: async (transaction: WriteTransaction) => {
          writing = await begin({ transaction, viewer, facts }, seasonId, items);
        },
        afterItems: async (transaction: WriteTransaction) => {
          await refreshRankings(transaction, [...written.values()]);
        },
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        if (!writing) throw new Error('a batch begins with its season');
        return upsertOne({ ...writing, transaction }, accountId, item, written);
      });
    },
  };
}
