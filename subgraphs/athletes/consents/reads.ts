/** SQL reads of consents and of the access log of a minor. The owner of the athlete reads them, and administrators that read minors. */
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { owns, readsMinors } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { recordAdministratorAccess, type MinorPart } from '../athletes/minor-access.ts';
import { profileIds } from '../athletes/removed-athletes.ts';
import type { ConsentScope, QueryAthleteAccessLogArgs, QueryAthleteConsentsArgs } from '../generated/resolvers.ts';
import { consents, type ConsentPage, type ConsentRow } from './rows.ts';

export interface AccessRow {
  readonly id: string;
  readonly day: string;
  readonly accountId: string | null;
  readonly keyId: string;
  readonly administratorId: string | null;
  readonly parts: MinorPart[];
  readonly scopes: ConsentScope[];
  readonly reads: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export type AccessPage = Page<AccessRow>;

const newest = sortBy(consents, 'createdAt', 'timestamptz', 'desc');

/** Whether the viewer owns athletes. False for duplicates: their data is read with the profile they were merged into. */
function createOwnershipRead({ database }: AreaServices): BatchRead<string, boolean> {
  return async (ids, { viewer }) => {
    const rows = await database.query<{ id: string; accountId: string }>(
      sql`/* consents.owners */ select id, account_id as "accountId" from athlete where id = any(${[...ids]}::uuid[]) and status <> 'MERGED'`,
    );
    const own = new Set(rows.filter(({ accountId }) => owns(viewer, accountId) || readsMinors(viewer)).map(({ id }) => id));
    return ids.map((id) => own.has(id));
  };
}

/** Creates the reads of consents and of the access log. */
export function createConsentReads(services: AreaServices) {
  const { database, cursors } = services;
  const isOwned = createOwnershipRead(services);

  /** Notes a read for the cache headers, and records that of an administrator. */
  async function note({ notes, viewer }: Context, athleteIds: readonly string[], part: MinorPart): Promise<void> {
    notes.person = true;
    notes.minor = true;
    await recordAdministratorAccess(
      database,
      viewer,
      athleteIds.map((id) => ({ id })),
      part,
    );
  }

  const byId: BatchRead<string, ConsentRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<ConsentRow>(
      sql`/* consents.byIds */ select ${consents.columns} from consent where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const readable = rows.filter(({ accountId }) => owns(viewer, accountId) || readsMinors(viewer));
    await note(
      context,
      readable.map(({ athleteId }) => athleteId),
      'CONSENTS',
    );
    return inOrder(ids, readable, (row) => row.id);
  };

  return {
    byId,
    /**
     * The consents of an athlete, newest first. Null when the viewer does not own the athlete.
     * @param under the ids of the profile, when consents given for its duplicates are included
     */
    async list(
      context: Context,
      { athleteId, first, after }: QueryAthleteConsentsArgs,
      under = sql`(${athleteId})`,
    ): Promise<ConsentPage | null> {
      if (!(await context.load(isOwned, athleteId))) return null;
      await note(context, [athleteId], 'CONSENTS');
      const list = {
        name: 'consents.list',
        columns: consents.columns,
        from: sql`consent`,
        where: [sql`consent.athlete_id in ${under}`],
        sort: newest,
        filter: athleteId,
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** Reads of a minor beyond the public profile, latest first. Null when the viewer does not own the athlete. */
    async accessLog(context: Context, { athleteId, first, after }: QueryAthleteAccessLogArgs): Promise<AccessPage | null> {
      if (!(await context.load(isOwned, athleteId))) return null;
      await note(context, [athleteId], 'ACCESS_LOG');
      const list = {
        name: 'consents.accessLog',
        columns: sql`id, day, account_id as "accountId", key_id as "keyId", administrator_id as "administratorId", parts, scopes, reads, first_at as "firstAt", last_at as "lastAt"`,
        from: sql`minor_access`,
        where: [sql`athlete_id in ${profileIds(athleteId)}`],
        sort: { column: sql`last_at`, type: 'timestamptz', direction: 'desc', value: (row: AccessRow) => row.lastAt } as const,
        filter: athleteId,
      };
      return readPage<AccessRow>(database, cursors, list, { first: first ?? 20, after });
    },
  };
}

export type ConsentReads = ReturnType<typeof createConsentReads>;
