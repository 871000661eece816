/** Issues the invoices of the statements of a month, in the transaction that closes the month. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BillingSettings } from '../../../schema/billing.ts';

/**
 * Writes one invoice per statement of the month, YYYY-MM-DD, with the next numbers of the year. The caller holds the lock of the closing,
 * so concurrent closings do not wait for the series. VAT is rounded half up to one minor unit, once per invoice and currency.
 */
export async function issueInvoices(transaction: Queryable, month: string, billing: BillingSettings): Promise<void> {
  const { name, address, vatId, currency, vatBasisPoints, reverseChargeNote, numberPrefix } = billing;
  await transaction.query(sql`/* invoices.issue */
    with numbered as materialized (
      select s.id, s.account_id, s.closed_at at time zone 'UTC' as issued, row_number() over (order by s.account_id) as place
      from statement s where s.month = ${month}
    ), series as (
      insert into invoice_series (prefix, year, last)
      select ${numberPrefix}, extract(year from min(issued))::int, count(*)::int from numbered having count(*) > 0
      on conflict (prefix, year) do update set last = invoice_series.last + excluded.last
      returning year, last - (select count(*) from numbered) as before
    )
    insert into invoice (statement_id, number, issued_on, seller_name, seller_address, seller_vat_id, buyer_name, buyer_address, buyer_vat_id,
      currency, vat_basis_points, note)
    select n.id, concat_ws('-', ${numberPrefix}::text, series.year, lpad(sequence.text, greatest(6, length(sequence.text)), '0')),
      n.issued::date, ${name}, ${address}, ${vatId}, coalesce(a.legal_name, a.name), a.billing_address, a.vat_id, ${currency},
      case when not reverse.applies then ${vatBasisPoints}::int end, case when reverse.applies then ${reverseChargeNote}::text end
    from numbered n join account a on a.id = n.account_id cross join series,
      lateral (select (series.before + n.place)::text as text) sequence,
      lateral (select a.reverse_charge and a.vat_id is not null and ${vatBasisPoints}::int is not null as applies) reverse`);
  await transaction.query(sql`/* invoices.total */
    insert into invoice_total (statement_id, currency, net_minor, vat_minor)
    select statement_id, currency, net, (net * coalesce(vat_basis_points, 0) + 5000) / 10000
    from (
      select l.statement_id, l.currency, sum(l.amount_minor)::bigint as net, i.vat_basis_points
      from invoice i join statement s on s.id = i.statement_id join statement_line l on l.statement_id = s.id
      where s.month = ${month} group by l.statement_id, l.currency, i.vat_basis_points
    ) nets`);
}
