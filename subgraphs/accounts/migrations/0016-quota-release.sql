-- Releases units that a request was charged and did not use: without a cap (null), and without counting them as refunds.
create or replace function accounts.quota_refund(p_subject bytea, p_day date, p_month date, p_units bigint, p_cap bigint)
returns bigint language sql security definer set search_path = accounts, pg_temp as $$
  update accounts.quota_counter q set
    day_used = q.day_used - least(p_units, p_cap - q.day_refunded, q.day_used),
    day_refunded = q.day_refunded + case when p_cap is null then 0 else least(p_units, p_cap - q.day_refunded, q.day_used) end,
    month_used = greatest(0, q.month_used - case when q.month = p_month then least(p_units, p_cap - q.day_refunded, q.day_used) else 0 end)
  where q.subject = p_subject and q.day = p_day and (p_cap is null or q.day_refunded < p_cap) and q.day_used > 0 and p_units > 0
  returning old.day_used - new.day_used
$$;
