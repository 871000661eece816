-- One quota counter in Redis, with the rules of accounts.quota_take in PostgreSQL. A hash: d (day, counted from 1970), u (its units),
-- r (its refunds), m (month, counted from the year 0), v (its units), b (time at which the burst is full again, microseconds since 1970).
-- All decisions precede the single write, so that an error leaves no partial state. A missing hash means unknown, not empty:
-- the script returns nil, and the caller retries with the values from PostgreSQL (the last four arguments).
local command = ARGV[1]
local minute_us = 60000000

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local today = math.floor(clock / 86400000000)
-- https://howardhinnant.github.io/date_algorithms.html#civil_from_days, with years that start in March
local of_era = (today + 719468) % 146097
local year_of_era = math.floor((of_era - math.floor(of_era / 1460) + math.floor(of_era / 36524) - math.floor(of_era / 146096)) / 365)
local of_year = of_era - (365 * year_of_era + math.floor(year_of_era / 4) - math.floor(year_of_era / 100))
local this_month = (year_of_era + math.floor((today + 719468) / 146097) * 400) * 12 + math.floor((5 * of_year + 2) / 153) + 2

local held = redis.call('HMGET', KEYS[1], 'd', 'u', 'r', 'm', 'v', 'b')
local first_known = ({ ACQUIRE = 7, REFUND = 6, POST_DEBT = 5, RAISE = 6, READ = 2 })[command]
local fresh = not held[1]
if fresh then
  if not ARGV[first_known] then return false end
  held = { ARGV[first_known], ARGV[first_known + 1], 0, ARGV[first_known + 2], ARGV[first_known + 3], 0 }
end
local day, day_used, day_refunded = tonumber(held[1]), tonumber(held[2]), tonumber(held[3])
local month, month_used, full_at = tonumber(held[4]), tonumber(held[5]), tonumber(held[6])
local written_on = fresh and 0 or day

-- A window never goes backwards, except for dates in the future that a wrong clock left behind; those keep their count.
if day > today + 1 then day = today elseif today > day then day, day_used, day_refunded = today, 0, 0 end
if month > this_month + 1 then month = this_month elseif this_month > month then month, month_used = this_month, 0 end

local function save()
  redis.call('HSET', KEYS[1], 'd', day, 'u', string.format('%.0f', day_used), 'r', string.format('%.0f', day_refunded),
    'm', month, 'v', string.format('%.0f', month_used), 'b', string.format('%.0f', full_at))
  -- counters of past windows are not needed
  if written_on ~= day then redis.call('EXPIRE', KEYS[1], 62 * 86400) end
end

if command == 'READ' then return { day, day_used, month, month_used, clock } end

if command == 'REFUND' then
  local units, cap = math.min(tonumber(ARGV[4]), day_used), tonumber(ARGV[5])
  -- without a cap, unused units are released, which is not counted as a refund
  if cap then units = math.min(units, cap - day_refunded) end
  if day ~= tonumber(ARGV[2]) or units <= 0 then return 0 end
  day_used = day_used - units
  if cap then day_refunded = day_refunded + units end
  if month == tonumber(ARGV[3]) then month_used = math.max(0, month_used - units) end
  save()
  return units
end

if command == 'POST_DEBT' then
  -- a retry after an unknown outcome counts once
  if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', 2 * 86400) then return 0 end
  local units = tonumber(ARGV[4])
  -- a router's clock may be slightly ahead of the store's
  if tonumber(ARGV[2]) >= day then day_used = day_used + units end
  if tonumber(ARGV[3]) >= month then month_used = month_used + units end
  save()
  return units
end

if command == 'RAISE' then
  local behind_day = tonumber(ARGV[2]) == day and tonumber(ARGV[3]) > day_used
  local behind_month = tonumber(ARGV[4]) == month and tonumber(ARGV[5]) > month_used
  if behind_day then day_used = tonumber(ARGV[3]) end
  if behind_month then month_used = tonumber(ARGV[5]) end
  if not (behind_day or behind_month) then return 0 end
  save()
  return 1
end

local charge, want = ARGV[2], tonumber(ARGV[3])
local per_day, per_month, burst_per_minute = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
-- The backlog of the burst is at most one minute; more comes from a wrong clock.
local backlog_us = math.min(math.max(full_at - clock, 0), minute_us)
local burst_left = math.floor((minute_us - backlog_us) * burst_per_minute / minute_us)
local room, granted, burst_spent = want, 0, 0
if charge == 'EACH' or charge == 'TOGETHER' or charge == 'MORE' then
  room = math.min(room, per_day - day_used, per_month - month_used)
end
if charge == 'TOGETHER' or charge == 'MORE' then
  if room >= want and (charge == 'MORE' or burst_left >= 1) then granted = want end
  if charge == 'TOGETHER' and granted > 0 then burst_spent = 1 end
else
  granted = math.max(0, math.min(room, burst_left))
  burst_spent = granted
end
if charge ~= 'BURST_ONLY' then day_used, month_used = day_used + granted, month_used + granted end
-- Rounded down to the clock's microseconds: rounded up, 900 a minute would be 899.
backlog_us = backlog_us + math.floor(burst_spent * minute_us / burst_per_minute)
burst_left = burst_left - burst_spent
local wait_us = burst_left >= 1 and 0 or math.ceil(backlog_us - minute_us + minute_us / burst_per_minute)
full_at = clock + backlog_us
if granted > 0 or fresh then save() end
return { granted, day, day_used, month, month_used, burst_left, wait_us, clock }
