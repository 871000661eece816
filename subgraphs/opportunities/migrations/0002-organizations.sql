-- What opportunities keep of the organizations area: one that is not public takes its opportunities out of sight with it.
create table organization (
  id uuid primary key,
  version int not null,                           -- of the organization when this was said: later facts win
  public boolean not null
);

-- Denied by default. What was published before was published by an active organization; events say what became of it.
alter table opportunity add column organization_public boolean not null default false;
update opportunity set organization_public = true where status <> 'DRAFT';
