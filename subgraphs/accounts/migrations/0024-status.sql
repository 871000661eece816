-- The public status: the last check of each component, its checks per day, and incidents that administrators write.
create table component (
  name text primary key,
  status text not null check (status in ('UP', 'DEGRADED', 'DOWN')),
  checked_at timestamptz(3) not null
);

create table component_day (
  component text not null,
  day date not null,
  checks int not null,
  degraded int not null,
  failed int not null,
  primary key (component, day)
);

create table incident (
  id uuid primary key default uuidv7(),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  title text not null check (char_length(title) between 1 and 200),
  impact text not null check (impact in ('MAINTENANCE', 'DEGRADED', 'OUTAGE')),
  status text not null check (status in ('SCHEDULED', 'IN_PROGRESS', 'INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED')),
  components text[] not null check (cardinality(components) between 1 and 20),
  started_at timestamptz(3) not null,
  ends_at timestamptz(3),
  resolved_at timestamptz(3),
  updates jsonb not null default '[]',
  check ((status = 'RESOLVED') = (resolved_at is not null)),
  check (ends_at > started_at)
);
create index incident_started on incident (started_at, id);
create index incident_open on incident (started_at, id) where resolved_at is null;
