/** Reads of the audit log: the histories of all areas merged into one list, and the history of one resource of this area. */
import { areas, type Area } from '../../../schema/areas.ts';
import { Problem, temporaryCodes } from '../../../schema/errors.ts';
import type { GraphDocument } from '../../../schema/entry-point.ts';
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
import { unreadableSubjects } from '../../clients/administrator-reads.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { AuditFilter, QueryAuditEntriesArgs } from '../generated/resolvers.ts';
import { unreadableReportSubjects } from '../reports/unreadable-subjects.ts';

export interface AuditEntryRow extends HistoryEntry {
  readonly area: Area;
  /** Whether the reason and the changes are removed: the viewer cannot read the minor that they concern. */
  readonly isWithheld?: boolean;
}

export type AuditEntryPage = Page<AuditEntryRow>;

const newestFirst = {
  column: raw('history.at'),
  type: 'timestamptz',
  direction: 'desc',
  value: ({ at }: Pick<HistoryEntry, 'at'>) => at,
} as const satisfies Sort<HistoryEntry>;

type HistoryQuery = GraphDocument<Readonly<Record<string, readonly HistoryEntry[]>>, HistoryArguments>;

/** The query of one area's history. It selects exactly the members of HistoryEntry; no generated type has a field name that depends on the area. */
const queryOf = (area: Area): HistoryQuery => /* GraphQL */ `
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
        userId
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
      subjectIds
    }
  }
`;

const queries = new Map(areas.map((area) => [area, queryOf(area)]));

/** The history of one area. Throws the Problem of an unavailable area with the area's name. */
async function historyOf({ graph }: Context, area: Area, args: HistoryArguments): Promise<AuditEntryRow[]> {
  try {
    const data = await graph(queries.get(area) ?? queryOf(area), { ...args });
    return (data[historyField(area)] ?? []).map((entry) => ({ ...entry, area }));
  } catch (error) {
    if (!(error instanceof Problem) || !temporaryCodes.has(error.code)) throw error;
    const detail = `The area ${area} is unavailable, so the audit log would be incomplete. Try again shortly.`;
    throw new Problem(error.code, detail);
  }
}

/** The ids by which the athletes area knows the persons that an entry with values concerns, among other ids. */
function subjectsOf({ area, resourceId, subjectIds = [], changes, reason }: AuditEntryRow): readonly string[] {
  if (changes.length === 0 && reason === null) return [];
  return area === 'athletes' ? [resourceId, ...subjectIds] : subjectIds;
}

const isOfReport = ({ area, resourceType }: AuditEntryRow): boolean => area === 'accounts' && resourceType === 'report';

/** Removes the values that the viewer cannot read because they concern a minor. The athletes area records the read of the others. */
async function withoutUnreadable(context: Context, entries: readonly AuditEntryRow[]): Promise<AuditEntryRow[]> {
  const [reports, others] = [entries.filter(isOfReport), entries.filter((entry) => !isOfReport(entry))];
  const sets = await Promise.all([
    unreadableReportSubjects(context, reports.flatMap(subjectsOf), 'HISTORY'),
    unreadableSubjects(context, others.flatMap(subjectsOf), 'HISTORY'),
  ]);
  const isUnreadable = (id: string): boolean => sets.some((unreadable) => unreadable.has(id));
  return entries.map((entry) =>
    subjectsOf(entry).some(isUnreadable) ? { ...entry, reason: null, changes: [], isWithheld: true } : entry,
  );
}

/** Compares as text: times and IDs have a fixed form. */
const isLater = (one: HistoryEntry, other: HistoryEntry): number =>
  one.at === other.at ? (one.id > other.id ? -1 : 1) : one.at > other.at ? -1 : 1;

/** The areas whose histories are read. */
const areasOf = ({ area }: AuditFilter): readonly Area[] => (area ? areas.filter((each) => each === area.toLowerCase()) : areas);

/** Reads of the audit log over the area's database and the graph. The caller must check that the viewer is an administrator. */
export function createAuditReads({ database, cursors }: AreaServices) {
  const ofResources =
    (resourceType: string): BatchRead<PageKey, AuditEntryPage> =>
    async (keys) => {
      const list = {
        name: `audit.of_${resourceType}`,
        columns: historyColumns,
        table: 'history',
        owner: 'resource_id',
        where: [sql`history.resource_type = ${resourceType}`],
        sort: { ...newestFirst, value: ({ at }: HistoryRow) => at },
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
    /** Throws Problem cursor_invalid (400), and upstream_unavailable (503) or upstream_timeout (504) while an area is unavailable. */
    async list(context: Context, args: QueryAuditEntriesArgs): Promise<AuditEntryPage> {
      const { first = 20, after, filter } = args;
      const { area: _, ...areaFilter } = filter ?? {};
      const fingerprint = fingerprintOf('audit.list', filter ?? {}, null);
      const [at, id] = after ? cursors.open(after, fingerprint) : [];
      const before = after ? { at: String(at), id: String(id) } : null;
      const histories = await Promise.all(
        areasOf(filter ?? {}).map((area) =>
          historyOf(context, area, { first: first + 1, before, filter: { ...areaFilter, bySystem: area === 'accounts' } }),
        ),
      );
      const entries = histories
        .flat()
        .sort(isLater)
        .slice(0, first + 1);
      const page = pageOf(cursors, newestFirst, fingerprint, { first, after }, entries);
      return withNodes(page, await withoutUnreadable(context, page.nodes));
    },
  };
}
