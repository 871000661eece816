-- Webhooks: endpoints, their secrets, and the deliveries of events to them.
create table webhook_endpoint (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) between 1 and 500),
  types text[] not null default '{}',             -- empty: all, as in the following filters
  areas text[] not null default '{}',
  sports text[] not null default '{}',
  competition_ids uuid[] not null default '{}',
  organization_ids uuid[] not null default '{}',
  scopes text[] not null,                         -- of the key that created or last changed the endpoint
  status text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  disabled_reason text check (disabled_reason in ('OWNER', 'GONE', 'FAILING', 'PLAN')),
  disabled_at timestamptz(3),
  check ((status = 'DISABLED') = (disabled_reason is not null) and (status = 'DISABLED') = (disabled_at is not null))
);
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at, id);
create index webhook_endpoint_created on webhook_endpoint (created_at, id);

-- The current secret of an endpoint, and the previous one until it expires.
create table webhook_secret (
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  prefix text not null,
  encrypted bytea not null,                       -- AES-256-GCM: key version, nonce, tag, text
  expires_at timestamptz(3)                       -- null: the current one
);
create unique index webhook_secret_current on webhook_secret (endpoint_id) where expires_at is null;
create index webhook_secret_endpoint on webhook_secret (endpoint_id, created_at);

-- The success of an endpoint, apart from the resource: it changes without a new version.
create table webhook_health (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  failing_since timestamptz(3),                   -- the first failure since the last success
  last_success_at timestamptz(3)
);

-- The last event of the feed for which deliveries exist.
create table webhook_position (
  id boolean primary key default true check (id),
  sequence bigint not null
);
insert into webhook_position (sequence) select coalesce(max(sequence), 0) from event;

-- The lease of the active sender, as relay_lease.
create table webhook_lease (
  id boolean primary key default true check (id),
  holder uuid not null,
  expires_at timestamptz not null
);

-- An event that an endpoint may receive. Without a foreign key: the deliveries of a deleted endpoint are deleted in batches.
create table webhook_delivery (
  id uuid primary key default uuidv7(),
  position bigint generated always as identity,   -- the order of first attempts
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  resource_id uuid not null,
  created_at timestamptz(3) not null default now(),
  is_replay boolean not null default false,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCEEDED', 'FAILED', 'DROPPED')),
  attempts int not null default 0,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3) default now(),
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_delivery_first on webhook_delivery (endpoint_id, position) where attempts = 0;
create index webhook_delivery_retry on webhook_delivery (endpoint_id, next_attempt_at)
  where attempts > 0 and next_attempt_at is not null;
-- a delivery is visible after its first attempt
create index webhook_delivery_list on webhook_delivery (endpoint_id, created_at, id) where attempts > 0;
create index webhook_delivery_status on webhook_delivery (endpoint_id, status, created_at, id) where attempts > 0;
create index webhook_delivery_type on webhook_delivery (endpoint_id, type, created_at, id) where attempts > 0;
create index webhook_delivery_created on webhook_delivery (created_at);

create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  number int not null,
  at timestamptz(3) not null,
  status int,                                     -- of the response; null without one
  duration_ms int not null,
  error text,
  detail text,
  request text,                                   -- the first kB of the body; null once it was removed
  response text,
  mentions uuid[] not null,                       -- the resources in `request`
  primary key (delivery_id, number)
);
create index webhook_attempt_mentions on webhook_attempt using gin (mentions) where request is not null;

-- Resources whose visibility may have changed in the last day: an attempt that began before stores no texts.
create table webhook_removal (
  resource_id uuid primary key,
  event_id uuid not null,                         -- the change; deliveries of it were rendered after it
  at timestamptz(3) not null
);

-- Deletes deliveries after 30 days, and those of deleted endpoints.
create function prune_webhook_deliveries(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with old as (
    (select id from webhook_delivery where created_at < now() - interval '30 days' order by created_at limit p_limit)
    union
    (select d.id from tombstone t join webhook_delivery d on d.endpoint_id = t.resource_id
      where t.resource_type = 'webhook_endpoint' limit p_limit)
  ), deleted as (
    delete from webhook_delivery where id = any(array(select id from old limit p_limit)) returning 1
  )
  select count(*) from deleted;
end;

create function prune_webhook_removals(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with deleted as (
    delete from webhook_removal where resource_id = any(array(
      select resource_id from webhook_removal where at < now() - interval '1 day' limit p_limit)) returning 1
  )
  select count(*) from deleted;
end;
