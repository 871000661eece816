/** SQL reads of transfers. */
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import { rejectFilter, reversedRange } from '../../runtime/filter-violations.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { isTransferParty, visibleAthlete, visiblePartyIds, visibleTransfers } from '../organizations/visibility.ts';
import type { QueryTransfersArgs, TransferFilter } from '../generated/resolvers.ts';
import { transferResource, transfers, type TransferPage, type TransferRow } from './rows.ts';

const latest = sortBy(transfers, 'date', 'date', 'desc');

const administratorReads = createAdministratorReads<TransferRow>('TRANSFERS', ({ athleteId }) => [athleteId]);

/** Whether the loan continues today: its membership is in force. */
const isOnLoan: Sql = sql`(transfer.type = 'LOAN' and transfer.status = 'COMPLETED' and transfer.date <= current_date
  and exists (select from membership m where m.id = transfer.to_membership_id and m.status in ('ACTIVE', 'ON_LOAN')
    and (m.end_date is null or m.end_date >= current_date)))`;

/** Transfers to or from a place; `to` and `from` are conditions on the two sides. */
function inDirection(direction: TransferFilter['direction'], to: Sql, from: Sql): Sql {
  if (direction === 'IN') return to;
  return direction === 'OUT' ? from : sql`(${to} or ${from})`;
}

/** Throws Problem parameter_invalid (400) for a direction without the place that it relates to. */
function placeConditions({ organizationId, teamId, direction }: TransferFilter): Sql[] {
  if (direction && !organizationId && !teamId) {
    const detail = '`direction` requires `organizationId` or `teamId`.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'direction', code: 'required', detail }] });
  }
  const of = (to: Sql, from: Sql, ids: readonly string[] | null | undefined): Sql[] =>
    ids ? [inDirection(direction, oneOf(to, ids), oneOf(from, ids))] : [];
  return [
    ...of(sql`transfer.to_organization_id`, sql`transfer.from_organization_id`, organizationId),
    ...of(sql`transfer.to_team_id`, sql`transfer.from_team_id`, teamId),
  ];
}

const ofHostSport = ({ sport }: Viewer): Sql[] => (sport ? [sql`(transfer.sport is null or transfer.sport = ${sport})`] : []);

function conditions(viewer: Viewer, filter: TransferFilter): Sql[] {
  const { athleteId, type, sport, dateFrom, dateTo, onLoan, status, mine, updatedSince, externalId } = filter;
  rejectFilter(reversedRange(['dateFrom', dateFrom], ['dateTo', dateTo]));
  const where = [
    mine ? isTransferParty(requireAccount(viewer)) : visibleTransfers(viewer),
    ...ofHostSport(viewer),
    ...placeConditions(filter),
  ];
  if (athleteId) where.push(oneOf(sql`transfer.athlete_id`, athleteId), visibleAthlete(viewer, 'transfer'));
  if (type) where.push(sql`transfer.type = any(${[...type]})`);
  if (sport) where.push(sql`transfer.sport = any(${[...sport]})`);
  if (dateFrom) where.push(sql`transfer.date >= ${dateFrom}::date`);
  if (dateTo) where.push(sql`transfer.date <= ${dateTo}::date`);
  if (onLoan !== null && onLoan !== undefined) where.push(onLoan ? isOnLoan : sql`not ${isOnLoan}`);
  if (status) where.push(sql`transfer.status = any(${[...status]})`);
  else if (!mine && !updatedSince && !externalId) where.push(sql`transfer.status = 'COMPLETED'`);
  return where;
}

/** Creates the reads of transfers. */
export function createTransferReads({ database, cursors }: AreaServices) {
  /** By id, in the requested order. Null for transfers that the viewer cannot read. */
  const byId: BatchRead<string, TransferRow | null> = async (ids, context) => {
    const { viewer } = context;
    const where = join([sql`id = any(${[...ids]}::uuid[])`, visibleTransfers(viewer), ...ofHostSport(viewer)], ' and ');
    const rows = await database.query<TransferRow>(
      sql`/* transfers.byIds */ select ${transfers.columns} from transfer where ${where}`,
      'PAGE',
    );
    return inOrder(ids, await administratorReads.rows(context, rows), (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids, { viewer }) =>
    externalIdsOf(database, 'transfer', ids, visiblePartyIds(viewer, 'transfer'));

  const nested = { columns: transfers.columns, table: 'transfer', owner: 'athlete_id', sort: latest };

  /** Completed transfers of athletes that the viewer can read. */
  const ofAthletes: BatchRead<PageKey, TransferPage> = async (keys, context) => {
    const { viewer } = context;
    const where = [
      sql`transfer.status = 'COMPLETED'`,
      visibleTransfers(viewer),
      visibleAthlete(viewer, 'transfer'),
      ...ofHostSport(viewer),
    ];
    const list = { ...nested, name: 'transfers.ofAthletes', where };
    return administratorReads.pages(context, await readPages<TransferRow>(database, cursors, list, keys));
  };

  /** All transfers in any status, for the export to the owner of the athlete. */
  const exported: BatchRead<PageKey, TransferPage> = (keys) =>
    readPages<TransferRow>(database, cursors, { ...nested, name: 'transfers.exported', where: [] }, keys);

  return {
    byId,
    externalIds,
    ofAthletes,
    exported,
    async list(context: Context, args: QueryTransfersArgs): Promise<TransferPage> {
      const { viewer } = context;
      const list = {
        name: 'transfers.list',
        resource: transferResource,
        where: conditions(viewer, args.filter ?? {}),
        sort: latest,
        visibleIds: visiblePartyIds(viewer, 'transfer'),
      };
      return administratorReads.page(context, await readList({ database, cursors }, list, viewer, args));
    },
  };
}

export type TransferReads = ReturnType<typeof createTransferReads>;
