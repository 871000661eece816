-- What the event feed needs of an event without reading its resource, which can be deleted.
alter table outbox
  add column subject_id uuid,                     -- the resource that decides who can read the event, such as the match of an action
  add column sports text[] not null default '{}',
  add column competition_id uuid,
  add column organization_id uuid,
  add column audience uuid[] not null default '{}', -- further accounts that can read the event
  add column was_public boolean not null default false;
alter table dead_letter
  add column subject_id uuid,
  add column sports text[] not null default '{}',
  add column competition_id uuid,
  add column organization_id uuid,
  add column audience uuid[] not null default '{}',
  add column was_public boolean not null default false;
