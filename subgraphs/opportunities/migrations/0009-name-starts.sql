-- The search over all areas reads the names that start with a text in their order. An index takes at most 2.7 kB a row, and
-- names in many languages are longer.
create index opportunity_name_start on opportunity ((left(search, 100)) collate "C");
