-- Cohorts keep the position longest (platform/cohorts.ts): those of every sport are computed again.
insert into cohort_due (sport) select distinct sport from prospect on conflict (sport) do update set changes = cohort_due.changes + 1;
