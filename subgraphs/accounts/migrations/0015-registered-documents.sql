-- GraphQL documents that accounts register, and keys that run only them.
create table registered_document (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  document_id text not null check (document_id ~ '^sha256:[0-9a-f]{64}$'),
  operation_name text,
  size_bytes int not null check (size_bytes between 1 and 65536),
  text text not null,
  check (octet_length(text) = size_bytes)
);
create unique index registered_document_once on registered_document (account_id, document_id);
create index registered_document_created on registered_document (account_id, created_at, id);

alter table api_key add column registered_documents_only boolean not null default false;

-- As in 0006, with the new column.
create or replace trigger tell_key after insert or update of
    account_id, plan_code, plan_version, scopes, allowed_cidrs, hash, pepper_version, quota_subject_id, status, expires_at,
    next_plan_code, next_plan_version, next_plan_at, registered_documents_only
  on accounts.api_key for each row execute function accounts.tell_key();

create or replace view accounts.router_key as
  select k.public_id, k.account_id, held.plan_code, held.plan_version, k.scopes, k.allowed_cidrs::text[] as allowed_cidrs, k.hash,
    k.pepper_version, k.expires_at, k.quota_subject_id,
    case
      when k.status = 'REVOKED' or a.status = 'CLOSED' then 'REVOKED'
      when a.status <> 'ACTIVE' then 'DISABLED'
      else k.status
    end as status,
    coalesce(c.burst_per_minute, p.burst_per_minute) as burst_per_minute,
    coalesce(c.per_day, p.per_day) as per_day,
    coalesce(c.per_month, p.per_month) as per_month,
    p.writes,
    coalesce(c.webhooks, p.webhooks) as webhooks,
    coalesce(c.streams, p.streams) as streams,
    extract(epoch from k.expires_at - clock_timestamp())::float8 * 1000 as expires_in_ms,
    case when held.moves then greatest(0, extract(epoch from k.next_plan_at - clock_timestamp())::float8 * 1000) end as changes_in_ms,
    case when held.moves then k.next_plan_code end as next_plan_code,
    case when held.moves then k.next_plan_version end as next_plan_version,
    case when held.moves then k.next_plan_at end as next_plan_at,
    k.registered_documents_only
  from accounts.api_key k
  join accounts.account a on a.id = k.account_id
  cross join lateral (
    select k.next_plan_at > statement_timestamp() as moves,
      case when k.next_plan_at <= statement_timestamp() then k.next_plan_code else k.plan_code end as plan_code,
      case when k.next_plan_at <= statement_timestamp() then k.next_plan_version else k.plan_version end as plan_version
  ) held
  join accounts.plan p on p.code = held.plan_code and p.version = held.plan_version
  left join accounts.contract c on c.account_id = k.account_id and c.plan_code = held.plan_code and c.ended_at is null;
