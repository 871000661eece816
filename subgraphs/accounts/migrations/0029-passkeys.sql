-- Passkeys of both populations (WebAuthn): the public key of each credential, and the registration that a person has started.

create table passkey (
  id uuid primary key default uuidv7(),
  population text not null check (population in ('ADMINISTRATORS', 'USERS')),
  person_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) <= 2000),   -- COSE
  counter bigint not null,                          -- signature counter; 0: the authenticator does not count
  last_challenge bigint not null default 0,         -- time of the last accepted challenge, in ms: earlier ones cannot be used again
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create unique index passkey_credential on passkey (population, credential_id);
create index passkey_of on passkey (population, person_id, created_at);

-- One registration per person. The password was correct when it started; the session that started it completes it.
create table passkey_registration (
  population text not null check (population in ('ADMINISTRATORS', 'USERS')),
  person_id uuid not null,
  session_hash bytea not null check (octet_length(session_hash) = 32),
  challenge text not null check (char_length(challenge) <= 100),
  expires_at timestamptz(3) not null,
  primary key (population, person_id)
);

alter table administrator_session drop constraint administrator_session_signed_in_by_check;
alter table administrator_session add constraint administrator_session_signed_in_by_check
  check (signed_in_by in ('PASSWORD', 'OIDC', 'PASSKEY'));
alter table portal_session drop constraint portal_session_signed_in_by_check;
alter table portal_session add constraint portal_session_signed_in_by_check check (signed_in_by in ('PASSWORD', 'OIDC', 'PASSKEY'));
