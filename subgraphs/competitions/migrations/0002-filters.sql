-- Each filter of competitions and seasons has its index: without one, a rare value is looked for in the whole table.
create index competition_type on competition (type, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_category on competition (category, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_age_group on competition (age_group, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_level on competition (level, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_country on competition (country, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_status on competition (status, created_at, id);
create index season_status on season (status, start_date, id) where published;
create index season_end_date on season (end_date) where published;
