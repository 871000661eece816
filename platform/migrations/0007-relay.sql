-- The lease of the active relay of this database. Its holder renews it; an expired lease can be acquired by another relay.
create table relay_lease (
  id boolean primary key default true check (id),
  holder uuid not null,
  expires_at timestamptz not null
);

-- The area that publishes the events of a position.
alter table inbox add column area text;

-- Events that a consumer of this area failed to apply. A later event of the resource, or a retry, applies its current state.
create table dead_letter (
  consumer text not null,
  area text not null,                             -- the area that published the event
  event_id uuid not null,
  position bigint not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  version int not null,
  account_id uuid,
  data jsonb not null,
  at timestamptz(3) not null,                     -- of the event
  error text not null,                            -- its code or class: a message could contain personal data
  attempts int not null default 1,
  failed_at timestamptz(3) not null default now(),
  retry boolean not null default false,           -- an operator requested a retry
  primary key (consumer, event_id)
);
create index dead_letter_resource on dead_letter (consumer, resource_type, resource_id);
