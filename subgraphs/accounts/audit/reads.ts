/** The audit log: the histories of all areas as one, and that of one resource of this area. */
import { areas, type Area } from '../../../schema/areas.ts';
import { Problem } from '../../../schema/errors.ts';
import { historyField } from '../../../schema/history-types.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { raw, sql } from '../../../platform/database/database.ts';
import {
  entryOf,
  historyColumns,
  type HistoryArguments,
  type HistoryEntry,
  type HistoryRow,
} from '../../../platform/writes/history.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { pageOf, withNodes, type Page, type Sort } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { AuditFilter, QueryAuditEntriesArgs } from '../resolvers.generated.ts';

export interface AuditEntryRow extends HistoryEntry {
  readonly area: Area;
}

export type AuditEntryPage = Page<AuditEntryRow>;

const latestFirst = {
  column: raw('history.at'),
  type: 'timestamptz',
  direction: 'desc',
  value: ({ at }: Pick<HistoryEntry, 'at'>) => at,
} as const satisfies Sort<HistoryEntry>;

const queryOf = (area: Area): string => /* GraphQL */ `
  query ${area}Audit($first: Int!, $before: AreaHistoryPlace, $filter: AreaHistoryFilter) {
    ${historyField(area)}(first: $first, before: $before, filter: $filter) {
      id
      at
      resourceType
      resourceId
      version
      action
      actor {
        kind
        administratorId
        keyId
        accountId
        address
      }
      reason
      changes {
        field
        before
        after
      }
    }
  }
`;

const queries = new Map(areas.map((area) => [area, queryOf(area)]));

const away: ReadonlySet<string> = new Set(['upstream_unavailable', 'upstream_timeout', 'overloaded']);

/** The history of one area. Throws the Problem of an area that is away, with its name. */
async function historyOf({ graph }: Context, area: Area, args: HistoryArguments): Promise<AuditEntryRow[]> {
  try {
    const data = await graph(queries.get(area) ?? queryOf(area), { ...args });
    const entries = data[historyField(area)] as readonly HistoryEntry[];
    return entries.map((entry) => ({ ...entry, area }));
  } catch (error) {
    if (!(error instanceof Problem) || !away.has(error.code)) throw error;
    throw new Problem(error.code, `The area ${area} does not answer, and without it the log is not whole. Try again shortly.`);
  }
}

/** Times and ids are told in one form, so that texts stand in the order of what they say. */
const isLater = (one: HistoryEntry, other: HistoryEntry): number =>
  one.at === other.at ? (one.id > other.id ? -1 : 1) : one.at > other.at ? -1 : 1;

/** Whose histories are read. */
const askedOf = ({ area }: AuditFilter): readonly Area[] => (area ? areas.filter((each) => each === area.toLowerCase()) : areas);

/** Reads of the audit log; who calls them has checked that the viewer administers. */
export function createAudit({ database, cursors }: AreaServices) {
  const ofResources =
    (resourceType: string): BatchRead<PageKey, AuditEntryPage> =>
    async (keys) => {
      const list = {
        name: `audit.of_${resourceType}`,
        columns: historyColumns,
        table: 'history',
        owner: 'resource_id',
        where: [sql`history.resource_type = ${resourceType}`],
        sort: { ...latestFirst, value: ({ at }: HistoryRow) => at },
      };
      const pages = await readPages<HistoryRow>(database, cursors, list, keys);
      return pages.map((page) =>
        withNodes(
          page,
          page.nodes.map((row) => ({ ...entryOf(row), area: 'accounts' as const })),
        ),
      );
    };

  return {
    ofKeys: ofResources('api_key'),
    ofAccounts: ofResources('account'),
    /** Throws Problem cursor_invalid (400), and upstream_unavailable (503) or upstream_timeout (504) while an area is away. */
    async list(context: Context, args: QueryAuditEntriesArgs): Promise<AuditEntryPage> {
      const { first = 20, after, filter } = args;
      const { area: _, ...given } = filter ?? {};
      const fingerprint = fingerprintOf('audit.list', filter ?? {}, null);
      const [at, id] = after ? cursors.open(after, fingerprint) : [];
      const before = after ? { at: String(at), id: String(id) } : null;
      const histories = await Promise.all(
        askedOf(filter ?? {}).map((area) =>
          historyOf(context, area, { first: first + 1, before, filter: { ...given, bySystem: area === 'accounts' } }),
        ),
      );
      const entries = histories
        .flat()
        .sort(isLater)
        .slice(0, first + 1);
      return pageOf(cursors, latestFirst, fingerprint, first, entries);
    },
  };
}
