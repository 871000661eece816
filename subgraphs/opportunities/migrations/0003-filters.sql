-- Each filter of opportunities has its index: without one, a rare value is looked for in the whole table.
create index opportunity_open_type on opportunity (type, created_at, id) where status = 'PUBLISHED';
create index opportunity_open_country on opportunity (country, created_at, id) where status = 'PUBLISHED';
create index opportunity_status on opportunity (status, created_at, id);
