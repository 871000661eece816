-- Routers limit the event streams of callers without a key, too.
create or replace view accounts.router_plan as
  select code, version, burst_per_minute, per_day, per_month, writes, status, streams from accounts.plan;
