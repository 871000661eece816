/** Statements as documents: CSV to process, and a page to print. */
import { stringify } from 'csv-stringify/sync';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import { printedPage } from '../../../platform/http/printed-page.ts';
import type { Invoice, InvoiceParty, InvoiceTotal, StatementLine } from '../generated/resolvers.ts';
import type { StatementRow } from '../usage/statements.ts';
import { formatAmount, formatRate } from './amounts.ts';

/** A statement with what its documents contain. */
export interface StatementContent {
  readonly statement: StatementRow;
  readonly lines: readonly StatementLine[];
  /** Totals of a statement without an invoice. */
  readonly totals: readonly InvoiceTotal[];
  readonly invoice: Invoice | null;
  /** Current name of the account, for a statement without an invoice. */
  readonly accountName: string;
}

const csvColumns = [
  'month',
  'invoice',
  'issuedOn',
  'name',
  'publicId',
  'plan',
  'planVersion',
  'requests',
  'units',
  'quantity',
  'unitPriceMinor',
  'amountMinor',
  'currency',
];

/** One record per line of the statement (RFC 4180). Texts that a spreadsheet would read as formulas start with an apostrophe. */
export function statementCsv({ statement, lines, invoice }: StatementContent): string {
  const records = lines.map(({ name, publicId, plan, planVersion, requests, units, quantity, price, amount }) => [
    statement.month,
    invoice?.number,
    invoice?.issuedOn,
    name,
    publicId,
    plan,
    planVersion,
    requests,
    units,
    quantity,
    price.amountMinor,
    amount.amountMinor,
    amount.currency,
  ]);
  return stringify([csvColumns, ...records], { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true });
}

const count = (value: number): string => value.toLocaleString('en-US');

const pair = (term: string, value: string): string => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`;

function partyBlock(heading: string, { name, address, vatId }: InvoiceParty): string {
  const lines = [name, ...(address ? [address] : []), ...(vatId ? [`VAT ID ${vatId}`] : [])];
  return `<section><h2>${heading}</h2><address>${escapeHtml(lines.join('\n'))}</address></section>`;
}

function lineRow({ name, publicId, plan, requests, units, quantity, price, amount }: StatementLine): string {
  return `<tr><td>Plan ${escapeHtml(plan)}<br><small>${escapeHtml(name)}, ${escapeHtml(publicId)}<br>${count(requests)} requests, ${count(units)} units</small></td>
<td class="amount">${quantity}</td><td class="amount">${formatAmount(price)}</td><td class="amount">${formatAmount(amount)}</td></tr>`;
}

function totalRows(
  { currency, netMinor, vatMinor, grossMinor }: InvoiceTotal,
  vatBasisPoints: number | null | undefined,
): string {
  const row = (title: string, amountMinor: number): string =>
    `<tr><th scope="row">${title}</th><td class="amount">${formatAmount({ amountMinor, currency })}</td></tr>`;
  const taxed =
    typeof vatBasisPoints === 'number' ? `${row('Net', netMinor)}${row(`VAT ${formatRate(vatBasisPoints)}`, vatMinor)}` : '';
  return `<table class="totals"><tbody>${taxed}${row('Total', grossMinor)}</tbody></table>`;
}

function heading({ statement, invoice, accountName }: StatementContent): string {
  if (invoice === null)
    return `<header><h1>Usage statement</h1><dl>${pair('Month', statement.month)}${pair('Closed on', statement.closedAt.slice(0, 10))}</dl></header>
<div class="parties">${partyBlock('Account', { name: accountName })}</div>`;
  const { number, issuedOn, periodStart, periodEnd, seller, buyer } = invoice;
  return `<header><h1>Invoice</h1><dl>${pair('Number', number)}${pair('Date', issuedOn)}${pair('Period', `${periodStart} to ${periodEnd}`)}</dl></header>
<div class="parties">${partyBlock('From', seller)}${partyBlock('To', buyer)}</div>`;
}

/** The page of the invoice, or of the statement if it has no invoice. */
export function statementPage(content: StatementContent): string {
  const { statement, lines, totals, invoice } = content;
  const { lateRequests, lateUnits } = statement;
  const late =
    lateRequests > 0 ? `<p>Reported late, without cost: ${count(lateRequests)} requests, ${count(lateUnits)} units.</p>` : '';
  const note = invoice?.note ? `<p>${escapeHtml(invoice.note)}</p>` : '';
  return printedPage(
    invoice === null ? `Usage statement ${statement.month}` : `Invoice ${invoice.number}`,
    `${heading(content)}
<main>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="amount">Months</th><th scope="col" class="amount">Unit price</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>${lines.map(lineRow).join('\n')}</tbody>
</table>
${(invoice?.totals ?? totals).map((total) => totalRows(total, invoice?.vatBasisPoints)).join('\n')}
${note}${late}
</main>`,
  );
}
