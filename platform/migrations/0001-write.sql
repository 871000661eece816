-- The tables of the one write function, in every area's schema (run with search_path = the area).
create table idempotency (
  account_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  resource_id uuid,
  answer jsonb,                                   -- batches only: outcomes by item, never personal fields
  created_at timestamptz not null default now(),
  primary key (account_id, operation, key)
);
create index idempotency_created_at on idempotency (created_at);

create table history (
  id uuid primary key default uuidv7(),
  resource_type text not null,
  resource_id uuid not null,
  version int not null,
  action text not null,
  actor jsonb not null,                           -- {kind, accountId, keyId}
  changes jsonb not null,                         -- {field: [before, after]}
  at timestamptz(3) not null default now()
);
create index history_resource on history (resource_type, resource_id, version);

create table outbox (
  id uuid primary key default uuidv7(),
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  version int not null,
  account_id uuid,
  data jsonb not null default '{}',               -- ids only: the payload is rendered when it is sent
  at timestamptz(3) not null default now(),
  position bigint unique                          -- stamped gap-free by the relay, after commit
);
create index outbox_unstamped on outbox (id) where position is null;
create index outbox_stamped on outbox (position) where position is not null;

create table inbox (
  source text primary key,                        -- the producing area
  position bigint not null default 0,             -- done up to here, recorded in the transaction of the effect
  event_id uuid,
  updated_at timestamptz not null default now()
);

create table tombstone (
  resource_type text not null,
  resource_id uuid not null,
  account_id uuid,
  public boolean not null,                        -- whether the public could see the resource before
  at timestamptz(3) not null default now(),
  primary key (resource_type, resource_id)
);
create index tombstone_at on tombstone (resource_type, at, resource_id);

create table external_id (
  resource_type text not null,
  account_id uuid not null,
  scheme text not null,
  value text not null,
  resource_id uuid not null,
  primary key (resource_type, account_id, scheme, value)
);
create index external_id_resource on external_id (resource_type, resource_id);
create index external_id_value on external_id (resource_type, scheme, value);

-- Ids of public registries name one resource for all accounts.
create unique index external_id_registry on external_id (resource_type, scheme, value)
  where scheme in ('WIKIDATA', 'FIFA_ID', 'UCI_ID', 'WORLD_AQUATICS', 'WORLD_ATHLETICS', 'FIBA_ID', 'IHF_ID', 'FIVB_ID', 'WORLD_RUGBY', 'ITF_ID', 'ISNI', 'ROR');
