-- Rotation, moves between plans, contracts, and word to the routers of everything that changes what they know.

-- The successor and the predecessor of a rotation share a lineage. A move that is to come is a fact of the key: the plan that counts
-- follows from the row and the clock, whether the move is written down yet or not.
alter table accounts.api_key
  add column rotated_to uuid references accounts.api_key (id),
  add column rotated_from uuid unique references accounts.api_key (id),
  add column next_plan_code text,
  add column next_plan_version int,
  add column next_plan_at timestamptz(3),
  add foreign key (next_plan_code, next_plan_version) references accounts.plan (code, version),
  add check (num_nulls(next_plan_code, next_plan_version, next_plan_at) in (0, 3));
create index api_key_lineage on accounts.api_key (quota_subject_id);
create index api_key_next_plan on accounts.api_key (next_plan_at, id) where next_plan_at is not null;

-- The numbers of one account that override those of a plan; null: the plan's. One is live per account and plan code.
create table accounts.contract (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts.account (id),
  plan_code text not null check (plan_code ~ '^[a-z][a-z0-9-]{0,39}$'),
  burst_per_minute int check (burst_per_minute between 1 and 1000000),
  per_day bigint check (per_day between 1 and 1000000000000),
  per_month bigint check (per_month between 1 and 1000000000000),
  webhooks int check (webhooks >= 0),
  streams int check (streams >= 0),
  price_amount_minor bigint check (price_amount_minor >= 0),            -- per month
  currency text check (currency ~ '^[A-Z]{3}$'),
  ended_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((price_amount_minor is null) = (currency is null))
);
create unique index contract_live on accounts.contract (account_id, plan_code) where ended_at is null;

-- Which plan a lineage held when. `until` is known beforehand where every key of the lineage expires; null: until something changes.
create table accounts.plan_held (
  quota_subject_id uuid not null,
  account_id uuid not null references accounts.account (id),
  plan_code text not null,
  plan_version int not null,
  since timestamptz(3) not null,
  until timestamptz(3),
  primary key (quota_subject_id, since),
  foreign key (plan_code, plan_version) references accounts.plan (code, version),
  check (until >= since)
);
create index plan_held_account on accounts.plan_held (account_id, since);

insert into accounts.plan_held (quota_subject_id, account_id, plan_code, plan_version, since, until)
  select distinct on (k.quota_subject_id) k.quota_subject_id, k.account_id, k.plan_code, k.plan_version, k.created_at,
    greatest(k.created_at, least(k.expires_at, k.revoked_at, case when a.status = 'CLOSED' then a.updated_at end))
  from accounts.api_key k join accounts.account a on a.id = k.account_id order by k.quota_subject_id, k.created_at;

-- Keeps plan_held for one lineage: the plan it has from p_since on, and until when by what is known now.
create function accounts.hold_plan(p_lineage uuid, p_account uuid, p_code text, p_version int, p_since timestamptz(3)) returns void
language plpgsql as $$
declare
  last accounts.plan_held;
  ends timestamptz(3);
begin
  select * into last from accounts.plan_held h where h.quota_subject_id = p_lineage order by h.since desc limit 1 for update;
  -- read under the lock of the row before: who changes another key of the lineage waits, and then sees this one
  select case
      when count(*) = 0 or bool_or(a.status = 'CLOSED') then p_since
      when bool_or(k.expires_at is null) then null
      else max(k.expires_at) end
    into ends
    from accounts.api_key k join accounts.account a on a.id = k.account_id
    where k.quota_subject_id = p_lineage and k.status <> 'REVOKED';
  if last.since is not null and (last.until is null or last.until >= p_since) then
    if (last.plan_code, last.plan_version) = (p_code, p_version) then
      update accounts.plan_held h set until = case when ends is not null then greatest(ends, h.since) end
        where h.quota_subject_id = p_lineage and h.since = last.since;
      return;
    end if;
    update accounts.plan_held h set until = greatest(p_since, h.since) where h.quota_subject_id = p_lineage and h.since = last.since;
  end if;
  if ends is null or ends > p_since then
    insert into accounts.plan_held (quota_subject_id, account_id, plan_code, plan_version, since, until)
      values (p_lineage, p_account, p_code, p_version, greatest(p_since, last.since), ends)
      on conflict (quota_subject_id, since) do update
        set plan_code = excluded.plan_code, plan_version = excluded.plan_version, until = excluded.until;
  end if;
end $$;

create function accounts.key_changed() returns trigger language plpgsql as $$
declare since timestamptz(3) := date_trunc('milliseconds', statement_timestamp());
begin
  -- a move that was due counts from its moment, however late it is written down
  if tg_op = 'UPDATE' and old.next_plan_at <= since
    and (new.plan_code, new.plan_version) = (old.next_plan_code, old.next_plan_version) then since := old.next_plan_at; end if;
  perform accounts.hold_plan(new.quota_subject_id, new.account_id, new.plan_code, new.plan_version, since);
  return null;
end $$;
create trigger key_changed after insert or update of status, expires_at, plan_code, plan_version on accounts.api_key
  for each row execute function accounts.key_changed();

create function accounts.account_closed() returns trigger language plpgsql as $$
begin
  update accounts.plan_held set until = greatest(since, date_trunc('milliseconds', statement_timestamp()))
    where account_id = new.id and (until is null or until > statement_timestamp());
  return null;
end $$;
create trigger account_closed after update of status on accounts.account
  for each row when (new.status = 'CLOSED') execute function accounts.account_closed();

-- Routers are told in the transaction of the write, so that nobody forgets and nobody is told of what did not happen: the public id of
-- a key, or * for what concerns many. The columns are those that routers read: when a key was last used is none of them.
create function accounts.tell_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', new.public_id);
  return null;
end $$;
create trigger tell_key after insert or update of
    account_id, plan_code, plan_version, scopes, allowed_cidrs, hash, pepper_version, quota_subject_id, status, expires_at,
    next_plan_code, next_plan_version, next_plan_at
  on accounts.api_key for each row execute function accounts.tell_key();

create function accounts.tell_all() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', '*');
  return null;
end $$;
create trigger tell_all after update of status on accounts.account for each statement execute function accounts.tell_all();
create trigger tell_all after insert or update on accounts.plan for each statement execute function accounts.tell_all();
create trigger tell_all after insert or update on accounts.contract for each statement execute function accounts.tell_all();

-- All that the router may know of a key: the plan is the one that counts in this moment, the numbers are those that count for its
-- account. A key of a suspended account is a disabled key, one of a closed account a revoked key. `changes_in_ms` and `expires_in_ms`
-- say how long this is true, by the clock that decides; null: until word comes.
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
    case when held.moves then k.next_plan_at end as next_plan_at
  from accounts.api_key k
  join accounts.account a on a.id = k.account_id
  cross join lateral (
    select k.next_plan_at > statement_timestamp() as moves,
      case when k.next_plan_at <= statement_timestamp() then k.next_plan_code else k.plan_code end as plan_code,
      case when k.next_plan_at <= statement_timestamp() then k.next_plan_version else k.plan_version end as plan_version
  ) held
  join accounts.plan p on p.code = held.plan_code and p.version = held.plan_version
  left join accounts.contract c on c.account_id = k.account_id and c.plan_code = held.plan_code and c.ended_at is null;
