-- Versions of the platform as they started, for the markers of analytics. A version that starts again after another one has another row.
create table deployment (
  started_at timestamptz(3) primary key default now(),
  version text not null check (char_length(version) between 1 and 50)
);

-- Few requests are those of test keys: the walk through the time finds the others.
create index request_log_test on request_log (at, id) where starts_with(public_id, 'sp_test_');
create index request_log_account_test on request_log (account_id, at, id) where starts_with(public_id, 'sp_test_');
