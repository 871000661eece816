-- Results of an earlier stage that count in the tables of a stage, and positions that continue from group to group.
alter table stage add column carry_over jsonb, add column continuous_positions boolean not null default false;
