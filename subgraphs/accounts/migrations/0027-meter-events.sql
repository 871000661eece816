-- Usage that was sent to Stripe: one row per event, several per account and day. A row is committed before its event is sent and has the same
-- identifier in every attempt, so that Stripe counts it once.

alter table account add column stripe_customer_id text check (stripe_customer_id ~ '^cus_[A-Za-z0-9_]{1,251}$');
create index account_stripe_customer on account (id) where stripe_customer_id is not null;

create table meter_event (
  id uuid primary key default uuidv7(),
  version int not null default 1,                 -- increases with the decisions of administrators
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  account_id uuid not null references account (id),
  day date not null,                              -- UTC
  sequence int not null check (sequence > 0),
  customer_id text not null,                      -- that of the account at the last attempt
  units bigint not null check (units > 0),        -- of the day, without those of earlier events
  sent_at timestamptz(3),                         -- when Stripe confirmed it; null: not confirmed
  next_attempt_at timestamptz(3) not null default now(),
  failures int not null default 0,
  -- Stripe repeats a stored error for the same idempotency key: after an error response, the next attempt has another number
  key_number int not null default 1,
  unknown_since timestamptz(3),                   -- start of the first attempt whose outcome is not known
  rejection text check (char_length(rejection) <= 500),  -- why Stripe rejected the last attempt
  unique (account_id, day, sequence)
);
-- The next event of a day waits for the previous one.
create unique index meter_event_unsent on meter_event (account_id, day) where sent_at is null;
create index meter_event_due on meter_event (next_attempt_at) where sent_at is null;
create index meter_event_created on meter_event (created_at, id);
create index meter_event_day on meter_event (day) where sent_at is not null;

-- As long as the usage of days.
create function prune_meter_events(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path = accounts, pg_temp
begin atomic
  with gone as (
    delete from accounts.meter_event where ctid = any(array(
      select ctid from accounts.meter_event where sent_at is not null and day < current_date - 400 order by day limit p_limit))
    returning 1
  )
  select count(*) from gone;
end;
