-- Two ends of a profile: everything of the person is destroyed, or it turned out to be somebody's second one.
alter table athlete drop constraint athlete_status_check;
alter table athlete add constraint athlete_status_check check (status in
  ('DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED', 'MERGED', 'ERASURE_REQUESTED', 'ERASED'));
-- Always the last one of a chain: who is merged takes along who was merged into it.
alter table athlete add column merged_into uuid references athlete;
alter table athlete add constraint athlete_merged check ((status = 'MERGED') = (merged_into is not null));
create index athlete_merged_into on athlete (merged_into) where merged_into is not null;
create index athlete_erasing on athlete (id) where status = 'ERASURE_REQUESTED';

-- The queue of moderators: who awaits a word, of those who are shown.
alter table athlete add column verification_status text generated always as (verification ->> 'status') stored;
create index athlete_verification on athlete (verification_status, created_at, id) where status = 'ACTIVE';
