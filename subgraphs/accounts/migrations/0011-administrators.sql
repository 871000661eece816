-- Who administers, their sessions, the links by which they come in, and what keeps guesses slow.

create table accounts.administrator (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 200),
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('OWNER', 'ADMIN', 'MODERATOR', 'VIEWER')),
  status text not null default 'INVITED' check (status in ('INVITED', 'ACTIVE', 'DISABLED')),
  password_hash text,                                                   -- $scrypt$ln=15,r=8,p=3$salt$hash
  oidc_issuer text check (char_length(oidc_issuer) <= 2000),
  oidc_subject text check (char_length(oidc_subject) <= 255),
  last_signed_in_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((oidc_issuer is null) = (oidc_subject is null)),
  check (status <> 'ACTIVE' or password_hash is not null or oidc_subject is not null)
);
create unique index administrator_email on accounts.administrator (lower(email));
create unique index administrator_oidc on accounts.administrator (oidc_issuer, oidc_subject) where oidc_subject is not null;
create index administrator_created on accounts.administrator (created_at, id);

-- The browser holds the token; here is its hash only, so that who reads this table enters nowhere.
create table accounts.administrator_session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),  -- SHA-256 of 32 random bytes
  administrator_id uuid not null references accounts.administrator (id),
  signed_in_by text not null check (signed_in_by in ('PASSWORD', 'OIDC')),
  address text not null,
  user_agent text check (char_length(user_agent) <= 200),
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index administrator_session_of on accounts.administrator_session (administrator_id, created_at);
create index administrator_session_expires on accounts.administrator_session (expires_at);

create table accounts.setup_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null check (purpose in ('FIRST_OWNER', 'INVITATION', 'RESET')),
  administrator_id uuid references accounts.administrator (id),        -- null: the first owner, who is made by it
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((purpose = 'FIRST_OWNER') = (administrator_id is null))
);
create index setup_link_of on accounts.setup_link (administrator_id);
create index setup_link_expires on accounts.setup_link (expires_at);

-- One row for each password that was looked at and not right. Addresses of mail are hashed: people type their password there.
create table accounts.sign_in_attempt (
  id uuid primary key default uuidv7(),
  email_hash bytea not null check (octet_length(email_hash) = 32),
  network text not null,
  at timestamptz(3) not null default clock_timestamp()
);
create index sign_in_attempt_email on accounts.sign_in_attempt (email_hash, at);
create index sign_in_attempt_network on accounts.sign_in_attempt (network, at);
create index sign_in_attempt_at on accounts.sign_in_attempt (at);

-- Deletes sessions and links a week after they ended, and attempts that count no more. Returns how many, at most p_limit of each.
create function accounts.prune_sign_in(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path = accounts, pg_temp
begin atomic
  with session as (
    delete from accounts.administrator_session where id = any(array(
      select id from accounts.administrator_session where expires_at < now() - interval '7 days' limit p_limit for update skip locked))
    returning 1
  ), link as (
    delete from accounts.setup_link where token_hash = any(array(
      select token_hash from accounts.setup_link where expires_at < now() - interval '7 days' limit p_limit for update skip locked))
    returning 1
  ), attempt as (
    delete from accounts.sign_in_attempt where id = any(array(
      select id from accounts.sign_in_attempt where at < now() - interval '1 day' limit p_limit for update skip locked))
    returning 1
  )
  select (select count(*) from session) + (select count(*) from link) + (select count(*) from attempt);
end;
