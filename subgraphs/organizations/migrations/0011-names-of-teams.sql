-- Names by language and script: [{language, value}]. The column `search` contains them, too.
alter table team add column names jsonb not null default '[]';
