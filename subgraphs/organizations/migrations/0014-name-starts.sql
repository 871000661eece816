-- The search over all areas reads the names that start with a text in their order. An index takes at most 2.7 kB a row, and
-- names in many languages are longer.
create index organization_name_start on organization ((left(search, 100)) collate "C");
create index team_name_start on team ((left(search, 100)) collate "C");
