-- Users of the portal, their accounts, sessions and links; requests to the operator; announcements; second factors.

create table portal_user (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 200),
  email text not null check (char_length(email) between 3 and 320),
  email_verified_at timestamptz(3),               -- null: no administrator and no provider confirmed the address
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  password_hash text,                             -- $scrypt$ln=15,r=8,p=3$salt$hash
  oidc_issuer text check (char_length(oidc_issuer) <= 2000),
  oidc_subject text check (char_length(oidc_subject) <= 255),
  last_signed_in_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((oidc_issuer is null) = (oidc_subject is null)),
  check (password_hash is not null or oidc_subject is not null)
);
create unique index portal_user_email on portal_user (lower(email));
create unique index portal_user_oidc on portal_user (oidc_issuer, oidc_subject) where oidc_subject is not null;
create index portal_user_created on portal_user (created_at, id);

-- The browser holds the token; the table has its hash only. Tokens of administrators are in another table, so that none opens both.
create table portal_session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  user_id uuid not null references portal_user (id),
  signed_in_by text not null check (signed_in_by in ('PASSWORD', 'OIDC')),
  address text not null,
  user_agent text check (char_length(user_agent) <= 200),
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index portal_session_of on portal_session (user_id, created_at);
create index portal_session_expires on portal_session (expires_at);

-- Links for a new password.
create table portal_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null check (purpose = 'RESET'),
  user_id uuid not null references portal_user (id),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index portal_link_of on portal_link (user_id);
create index portal_link_expires on portal_link (expires_at);

create table account_member (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  user_id uuid not null references portal_user (id),
  role text not null check (role in ('OWNER', 'DEVELOPER', 'VIEWER')),
  removed_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index account_member_once on account_member (account_id, user_id) where removed_at is null;
create index account_member_of on account_member (account_id, created_at, id);
create index account_member_user on account_member (user_id, created_at, id);

create table account_invitation (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('OWNER', 'DEVELOPER', 'VIEWER')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by text not null,                       -- 'user:<id>', 'administrator:<id>' or the kind of actor
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index account_invitation_open on account_invitation (account_id, lower(email))
  where accepted_at is null and withdrawn_at is null;
create index account_invitation_of on account_invitation (account_id, created_at, id);
create index account_invitation_email on account_invitation (lower(email)) where accepted_at is null and withdrawn_at is null;

-- The plan to which administrators moved the account: new keys of members get it while the account has no live key.
alter table account add column plan_code text;

create table plan_request (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  plan_code text not null check (char_length(plan_code) between 1 and 40),
  note text check (char_length(note) between 1 and 2000),
  status text not null default 'OPEN' check (status in ('OPEN', 'GRANTED', 'DECLINED', 'WITHDRAWN')),
  requested_by text not null,
  reason text check (char_length(reason) between 1 and 500),
  decided_at timestamptz(3),
  decided_by uuid,                                -- the administrator; null: the account or the command line
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((status = 'OPEN') = (decided_at is null))
);
create unique index plan_request_once on plan_request (account_id) where status = 'OPEN';
create index plan_request_account on plan_request (account_id, created_at, id);
create index plan_request_created on plan_request (created_at, id);
create index plan_request_status on plan_request (status, created_at, id);

create table verification_request (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  organization_id uuid not null,                  -- an id of another area: no foreign key
  note text check (char_length(note) between 1 and 2000),
  links text[] not null default '{}' check (cardinality(links) <= 5),
  status text not null default 'OPEN' check (status in ('OPEN', 'GRANTED', 'DECLINED', 'WITHDRAWN')),
  requested_by text not null,
  reason text check (char_length(reason) between 1 and 500),
  decided_at timestamptz(3),
  decided_by uuid,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((status = 'OPEN') = (decided_at is null))
);
create unique index verification_request_once on verification_request (organization_id) where status = 'OPEN';
create index verification_request_account on verification_request (account_id, created_at, id);
create index verification_request_organization on verification_request (organization_id, created_at, id);
create index verification_request_created on verification_request (created_at, id);
create index verification_request_status on verification_request (status, created_at, id);

create table announcement (
  id uuid primary key default uuidv7(),
  title text not null check (char_length(title) between 1 and 200),
  text text not null check (char_length(text) between 1 and 5000),
  published_from timestamptz(3) not null default now(),
  published_until timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (published_until > published_from)
);
create index announcement_published on announcement (published_from, id);
create index announcement_created on announcement (created_at, id);

-- Second factors of both populations (RFC 6238). The secret is encrypted; the last accepted time step cannot be used again.
create table second_factor (
  population text not null check (population in ('ADMINISTRATORS', 'USERS')),
  person_id uuid not null,
  encrypted bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz(3),                    -- null: prepared, and without effect
  created_at timestamptz(3) not null default now(),
  primary key (population, person_id)
);
create table recovery_code (
  population text not null,
  person_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  used_at timestamptz(3),
  primary key (population, person_id, hash),
  foreign key (population, person_id) references second_factor (population, person_id) on delete cascade
);

-- The activity of an account has the changes of resources that were deleted.
create index tombstone_account on tombstone (account_id, resource_type);

-- Deletes sessions and links of the portal a week after they ended. Returns how many, at most p_limit of each.
create function prune_portal_sign_in(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with session as (
    delete from portal_session where id = any(array(
      select id from portal_session where expires_at < now() - interval '7 days' limit p_limit for update skip locked))
    returning 1
  ), link as (
    delete from portal_link where token_hash = any(array(
      select token_hash from portal_link where expires_at < now() - interval '7 days' limit p_limit for update skip locked))
    returning 1
  )
  select (select count(*) from session) + (select count(*) from link);
end;
