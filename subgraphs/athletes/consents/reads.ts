/** Consents, and who read a minor by them: what only the owner of the athlete is told. */
import { sql } from '../../../platform/database/database.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ConsentScope, QueryAthleteAccessLogArgs, QueryAthleteConsentsArgs } from '../resolvers.generated.ts';
import { profileIds } from '../athletes/removed-athletes.ts';
import { consents, type ConsentPage, type ConsentRow } from './rows.ts';

export interface AccessRow {
  readonly id: string;
  readonly day: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: ConsentScope[];
  readonly reads: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export type AccessPage = Page<AccessRow>;

const newest = sortBy(consents, 'createdAt', 'timestamptz', 'desc');

/** Reads of consents and of the access log. */
export function createConsentReads({ database, cursors }: AreaServices) {
  /** Whether the viewer owns the athlete; others are not told that there is one. A second profile is nobody's: what is held is told with the first. */
  const owned: BatchRead<string, boolean> = async (ids, { viewer }) => {
    const rows = await database.query<{ id: string; accountId: string }>(
      sql`/* consents.owners */ select id, account_id as "accountId" from athlete where id = any(${[...ids]}::uuid[]) and status <> 'MERGED'`,
    );
    const own = new Set(rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)).map(({ id }) => id));
    return ids.map((id) => own.has(id));
  };

  const byId: BatchRead<string, ConsentRow | null> = async (ids, { viewer, notes }) => {
    notes.person = true;
    notes.minor = true;
    const rows = await database.query<ConsentRow>(
      sql`/* consents.byIds */ select ${consents.columns} from consent where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  return {
    byId,
    /**
     * The consents of an athlete, the newest first; null for who does not own it.
     * @param under the ids of the athlete, where consents that were given for second profiles are told as well
     */
    async list(
      context: Context,
      { athleteId, first, after }: QueryAthleteConsentsArgs,
      under = sql`(${athleteId})`,
    ): Promise<ConsentPage | null> {
      if (!(await context.load(owned, athleteId))) return null;
      context.notes.person = true;
      context.notes.minor = true;
      const where = [sql`consent.athlete_id in ${under}`];
      const list = {
        name: 'consents.list',
        columns: consents.columns,
        from: sql`consent`,
        where,
        sort: newest,
        filter: athleteId,
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** Who read more of a minor than everybody may, the last first; null for who does not own the athlete. */
    async accessLog(context: Context, { athleteId, first, after }: QueryAthleteAccessLogArgs): Promise<AccessPage | null> {
      if (!(await context.load(owned, athleteId))) return null;
      context.notes.person = true;
      context.notes.minor = true;
      const list = {
        name: 'consents.accessLog',
        columns: sql`id, day, account_id as "accountId", key_id as "keyId", scopes, reads, first_at as "firstAt", last_at as "lastAt"`,
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
