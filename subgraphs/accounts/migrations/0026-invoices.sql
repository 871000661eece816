-- Invoices of statements, with what they print, and the billing data of accounts.

alter table account
  add column legal_name text check (char_length(legal_name) between 1 and 200),
  add column billing_address text check (char_length(billing_address) between 1 and 500),
  add column vat_id text check (char_length(vat_id) between 3 and 30),
  add column reverse_charge boolean not null default false;

-- The last number of a year. It is increased in the transaction that writes the invoices, so the numbers have no gaps.
create table invoice_series (
  prefix text not null check (char_length(prefix) between 1 and 20),
  year int not null,
  last int not null check (last >= 0),
  primary key (prefix, year)
);

-- Copies of the data of both parties: later changes of the account or the configuration do not change an invoice.
create table invoice (
  statement_id uuid primary key references statement (id),
  number text not null unique,
  issued_on date not null,
  seller_name text not null,
  seller_address text not null,
  seller_vat_id text,
  buyer_name text not null,
  buyer_address text,
  buyer_vat_id text,
  currency text not null,                         -- of the operator: its total is the first
  vat_basis_points int check (vat_basis_points between 0 and 10000),  -- null: no VAT
  note text                                       -- of a reverse charge
);
create table invoice_total (
  statement_id uuid not null references invoice (statement_id),
  currency text not null,
  net_minor bigint not null,
  vat_minor bigint not null,
  primary key (statement_id, currency)
);

create trigger invoice_stays before update or delete on invoice for each row execute function refuse_change();
create trigger invoice_total_stays before update or delete on invoice_total for each row execute function refuse_change();
create trigger invoice_in_time before insert on invoice for each row execute function refuse_statement();
create trigger invoice_total_in_time before insert on invoice_total for each row execute function refuse_statement();
