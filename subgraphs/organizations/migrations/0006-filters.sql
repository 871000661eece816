-- An index for every filter whose values may be rare: newest first, as the lists are.
create index membership_role on membership (role, created_at, id);
create index membership_status on membership (status, created_at, id);
create index organization_level on organization (level, created_at, id) where status in ('ACTIVE', 'CLOSED');
create index organization_verified on organization (created_at, id) where status in ('ACTIVE', 'CLOSED') and verified;
create index team_country on team (country) where country is not null;
create index team_sport on team (sport, (name collate "und-x-icu"), id);
create index team_category on team (category, (name collate "und-x-icu"), id);
create index team_age_group on team (age_group, (name collate "und-x-icu"), id);
