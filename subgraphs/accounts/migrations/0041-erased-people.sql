-- Erased people: the row stays, because the history refers to its id, without personal data and credentials.
alter table administrator add column erased_at timestamptz(3);
alter table administrator add constraint administrator_erased check (erased_at is null or status = 'DISABLED');

alter table portal_user add column erased_at timestamptz(3);
alter table portal_user add constraint portal_user_erased check (erased_at is null or status = 'DISABLED');
-- every other user has a password or an identity
alter table portal_user drop constraint portal_user_check1;
alter table portal_user add constraint portal_user_credentials
  check (password_hash is not null or oidc_subject is not null or erased_at is not null);
