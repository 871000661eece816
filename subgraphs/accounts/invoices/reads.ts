/** Reads of invoices. issue.ts writes them; they never change. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { Invoice, InvoiceParty } from '../generated/resolvers.ts';

interface InvoiceRow {
  readonly statementId: string;
  readonly number: string;
  readonly issuedOn: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly seller: InvoiceParty;
  readonly buyer: InvoiceParty;
  readonly vatBasisPoints: number | null;
  readonly note: string | null;
  readonly totals: Invoice['totals'];
}

/** Reads the invoices of statements by the IDs of the statements; null for a statement without an invoice. */
export function createInvoiceReads({ database }: Pick<AreaServices, 'database'>): BatchRead<string, Invoice | null> {
  return async (ids) => {
    const rows = await database.query<InvoiceRow>(sql`/* invoices.ofStatements */
      select i.statement_id as "statementId", i.number, i.issued_on::text as "issuedOn", s.month::text as "periodStart",
        (s.month + interval '1 month' - interval '1 day')::date::text as "periodEnd",
        jsonb_build_object('name', i.seller_name, 'address', i.seller_address, 'vatId', i.seller_vat_id) as seller,
        jsonb_build_object('name', i.buyer_name, 'address', i.buyer_address, 'vatId', i.buyer_vat_id) as buyer,
        i.vat_basis_points as "vatBasisPoints", i.note,
        (select jsonb_agg(jsonb_build_object('currency', t.currency, 'netMinor', t.net_minor, 'vatMinor', t.vat_minor,
            'grossMinor', t.net_minor + t.vat_minor) order by t.currency <> i.currency, t.currency)
          from invoice_total t where t.statement_id = i.statement_id) as totals
      from invoice i join statement s on s.id = i.statement_id where i.statement_id = any(${[...ids]}::uuid[])`);
    const byStatement = new Map(rows.map(({ statementId, ...invoice }) => [statementId, invoice]));
    return ids.map((id) => byStatement.get(id) ?? null);
  };
}
