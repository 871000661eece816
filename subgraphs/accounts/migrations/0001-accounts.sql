-- Plans, accounts and API keys. Times that a cursor sorts by have the precision they are shown in.

-- A plan is data. A row is never changed: a changed plan is a new version, and keys keep theirs until they are moved.
create table accounts.plan (
  code text not null check (code ~ '^[a-z][a-z0-9-]{0,39}$'),
  version int not null default 1 check (version > 0),
  name text not null check (char_length(name) between 1 and 100),
  price_amount_minor bigint not null check (price_amount_minor >= 0),   -- per month
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  burst_per_minute int not null check (burst_per_minute between 1 and 1000000),
  per_day bigint not null check (per_day between 1 and 1000000000000),
  per_month bigint not null check (per_month between 1 and 1000000000000),
  writes boolean not null,
  webhooks int not null check (webhooks >= 0),
  streams int not null check (streams >= 0),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'RETIRED')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (code, version)
);
-- New keys and anonymous readers get the one active version of a code.
create unique index plan_active on accounts.plan (code) where status = 'ACTIVE';

insert into accounts.plan
  (code, name, price_amount_minor, currency, burst_per_minute, per_day, per_month, writes, webhooks, streams)
values
  ('free', 'Free', 0, 'EUR', 60, 1000, 10000, false, 0, 1),
  ('starter', 'Starter', 2900, 'EUR', 300, 10000, 150000, true, 2, 5),
  ('pro', 'Pro', 14900, 'EUR', 900, 100000, 1500000, true, 10, 50),
  ('enterprise', 'Enterprise', 149000, 'EUR', 6000, 5000000, 100000000, true, 100, 1000);

create table accounts.account (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 200),
  email text check (char_length(email) between 3 and 320),
  organization_id uuid,                                                 -- an id of another area: no foreign key
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index account_name on accounts.account (lower(name));
create index account_created on accounts.account (created_at, id);

create table accounts.api_key (
  id uuid primary key default uuidv7(),
  public_id text not null unique check (public_id ~ '^sp_live_[0-9A-Za-z]{12}$'),
  name text not null check (char_length(name) between 1 and 100),
  account_id uuid not null references accounts.account (id),
  plan_code text not null,
  plan_version int not null,
  scopes text[] not null default '{}',
  allowed_cidrs cidr[] not null default '{}',                           -- empty: any address
  hash bytea not null check (octet_length(hash) = 32),                  -- HMAC-SHA-256 of the whole key
  pepper_version int not null,
  -- The lineage: a rotated key inherits it, so that rotating never doubles a quota.
  quota_subject_id uuid not null default uuidv7(),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED', 'REVOKED')),
  expires_at timestamptz(3),
  created_by text not null,
  revoked_at timestamptz(3),
  revoked_by text,
  revoked_why text check (char_length(revoked_why) <= 500),
  last_used_at timestamptz(3),                                          -- written in batches, never per request
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (plan_code, plan_version) references accounts.plan (code, version),
  check ((status = 'REVOKED') = (revoked_at is not null))
);
create index api_key_account on accounts.api_key (account_id, created_at, id);
create index api_key_created on accounts.api_key (created_at, id);
create index api_key_plan on accounts.api_key (plan_code, plan_version);

-- All that the router may know of plans and keys. A key of an account that is not active is a disabled key.
create view accounts.router_plan as
  select code, version, burst_per_minute, per_day, per_month, writes, status from accounts.plan;

create view accounts.router_key as
  select k.public_id, k.account_id, k.plan_code, k.plan_version, k.scopes, k.allowed_cidrs::text[] as allowed_cidrs, k.hash,
    k.pepper_version, k.expires_at, k.quota_subject_id,
    case when k.status = 'ACTIVE' and a.status <> 'ACTIVE' then 'DISABLED' else k.status end as status
  from accounts.api_key k join accounts.account a on a.id = k.account_id;
