/** Monthly statements of accounts. month-closing.ts writes them; they never change. */
import { sql } from '../../../platform/database/database.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import type { Page, Sort } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { Money, StatementLine } from '../generated/resolvers.ts';

export interface StatementRow {
  readonly id: string;
  readonly accountId: string;
  /** YYYY-MM */
  readonly month: string;
  readonly closedAt: string;
  readonly requests: number;
  readonly units: number;
  readonly lateRequests: number;
  readonly lateUnits: number;
}

export type StatementPage = Page<StatementRow>;

const statements = table<StatementRow>('statement', {
  id: 'plain',
  accountId: 'plain',
  month: sql`to_char(statement.month, 'YYYY-MM')`,
  closedAt: 'plain',
  requests: 'plain',
  units: 'plain',
  lateRequests: 'plain',
  lateUnits: 'plain',
});

const newestFirst: Sort<StatementRow> = {
  column: sql`statement.month`,
  type: 'date',
  direction: 'desc',
  value: ({ month }) => `${month}-01`,
};

interface LineRow extends Omit<StatementLine, 'price' | 'quantity' | 'amount'> {
  readonly statementId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** A line costs the price of one month: there is no proration. */
const lineOf = ({ amountMinor, currency, statementId: _, ...line }: LineRow): StatementLine => ({
  ...line,
  quantity: 1,
  price: { amountMinor, currency },
  amount: { amountMinor, currency },
});

/** The total per currency. */
export function totalsOf(lines: readonly StatementLine[]): Money[] {
  const byCurrency = Map.groupBy(lines, ({ amount }) => amount.currency);
  return [...byCurrency].map(([currency, group]) => ({
    currency,
    amountMinor: group.reduce((sum, { amount }) => sum + amount.amountMinor, 0),
  }));
}

/** Reads of statements over the area's database. */
export function createStatementReads({ database, cursors }: AreaServices) {
  const ofAccounts: BatchRead<PageKey, StatementPage> = (keys) =>
    readPages(
      database,
      cursors,
      {
        name: 'statements.list',
        columns: statements.columns,
        table: 'statement',
        owner: 'account_id',
        where: [],
        sort: newestFirst,
      },
      keys,
    );
  const linesOf: BatchRead<string, StatementLine[]> = async (ids) => {
    const rows = await database.query<LineRow>(sql`/* statements.lines */
      select statement_id as "statementId", name, public_id as "publicId", plan_code as plan, plan_version as "planVersion",
        amount_minor as "amountMinor", currency, requests, units
      from statement_line where statement_id = any(${[...ids]}::uuid[]) order by statement_id, amount_minor desc, quota_subject_id`);
    const byStatement = Map.groupBy(rows, ({ statementId }) => statementId);
    return ids.map((id) => (byStatement.get(id) ?? []).map(lineOf));
  };
  return {
    ofAccounts,
    linesOf,
    /** `month` is YYYY-MM. */
    async ofMonth(accountId: string, month: string): Promise<StatementRow | null> {
      const [row] = await database.query<StatementRow>(sql`/* statements.ofMonth */
        select ${statements.columns} from statement where account_id = ${accountId} and month = ${`${month}-01`}::date`);
      return row ?? null;
    },
  };
}

export type StatementReads = ReturnType<typeof createStatementReads>;
