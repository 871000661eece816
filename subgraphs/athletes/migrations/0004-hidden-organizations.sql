-- Whether everybody may know of the organization: who belongs to a hidden one is not told by it.
alter table organization_account add column public boolean not null default true;

-- The events that are kept are projected anew, for the organizations that are hidden now.
update inbox set position = 0, event_id = null where source = 'organizations';
