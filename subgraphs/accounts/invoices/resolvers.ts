/** Resolvers of invoices and of the documents of statements. Statements are read by their account and by administrators only. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { totalsOf, type StatementReads } from '../usage/statements.ts';
import { statementCsv, statementPage } from './documents.ts';
import { createInvoiceReads } from './reads.ts';

export function invoiceResolvers(services: AreaServices, accounts: AccountReads, statements: StatementReads) {
  const invoices = createInvoiceReads(services);
  return {
    Statement: {
      invoice: ({ id }, _, context) => context.load(invoices, id),
      async document(statement, { format }, context) {
        const [lines, invoice, account] = await Promise.all([
          context.load(statements.linesOf, statement.id),
          context.load(invoices, statement.id),
          context.load(accounts.byId, statement.accountId),
        ]);
        const totals = totalsOf(lines).map(({ amountMinor, currency }) => ({
          currency,
          netMinor: amountMinor,
          vatMinor: 0,
          grossMinor: amountMinor,
        }));
        const content = { statement, lines, totals, invoice, accountName: account?.name ?? '' };
        return format === 'CSV' ? statementCsv(content) : statementPage(content);
      },
    },
  } satisfies Resolvers;
}
