-- Keys of test mode. They work on test data, so they cost nothing: no plan is held for their lineage.
alter table api_key drop constraint api_key_public_id_check;
alter table api_key add constraint api_key_public_id_check check (public_id ~ '^sp_(live|test)_[0-9A-Za-z]{12}$');

create or replace trigger key_changed after insert or update of status, expires_at, plan_code, plan_version on api_key
  for each row when (starts_with(new.public_id, 'sp_live_')) execute function key_changed();
