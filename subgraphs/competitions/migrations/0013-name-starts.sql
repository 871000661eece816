-- The search over all areas reads the names that start with a text in their order. An index takes at most 2.7 kB a row, and
-- names in many languages are longer.
create index competition_name_start on competition ((left(search, 100)) collate "C");
