-- The name as searches compare it: ranking thousands of matches folds none of them.
alter table organization add column folded_name text not null generated always as (platform.fold(name)) stored;
