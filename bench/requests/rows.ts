/** Rows of the request log for its benchmark: 60 accounts of very different size over a month. */
import type pg from 'pg';

/** The largest account, and one of the smallest. */
export const largeAccount = '00000000-0000-4000-8000-000000000001';
export const smallAccount = '00000000-0000-4000-8000-000000000060';
export const largeKey = 'sp_live_bench0010000';

const operations = [
  'GET /api/v1/athletes',
  'GET /api/v1/athletes/{id}',
  'GET /api/v1/organizations',
  'GET /api/v1/competitions/matches',
  'POST /api/v1/competitions/matches/{matchId}/actions',
  'PATCH /api/v1/athletes/{id}',
  'Squad',
  'POST /api/v1/webhooks/{id}/test',
];

/** Account 1 has a third of all rows; accounts from 50 on are on the plan with 30 days. The last operation and some statuses are rare. */
const insert = `
  insert into accounts.request_log (id, at, retention_days, account_id, public_id, api, method, path, operation, document_hash, area, status,
    error_code, error_pointers, duration_ms, units, request_id, network, user_agent)
  select uuidv7(r.at - clock_timestamp()), r.at, r.days, ('00000000-0000-4000-8000-' || lpad(r.account::text, 12, '0'))::uuid,
    'sp_live_bench' || lpad(r.account::text, 3, '0') || lpad((r.n % 4)::text, 4, '0'), case when operation = 'Squad' then 'GRAPHQL' else 'REST' end,
    coalesce(substring(operation from '^[A-Z]+(?= )'), 'POST'), '/api/v1/athletes/' || gen_random_uuid(), operation, null, 'athletes', r.status,
    case r.status when 400 then 'parameter_invalid' when 401 then 'api_key_revoked' when 403 then 'insufficient_scope' when 404 then 'not_found'
      when 409 then 'conflict' when 412 then 'precondition_failed' when 422 then 'validation_failed' when 429 then 'rate_limited'
      when 500 then 'internal' when 503 then 'upstream_unavailable' end,
    case when r.status = 422 then array['/name', '/sports/0/sport'] else '{}' end, 5 + (random() * 100)::int, 1, gen_random_uuid()::text,
    '203.0.113.0/24', 'bench/1.0'
  from (
    select n, n.days, n.account, date_trunc('milliseconds', now() - random() * (n.days || ' days')::interval) as at,
      case when n.pick < 0.9 then 200 when n.pick < 0.92 then 201 when n.pick < 0.95 then 304 when n.pick < 0.97 then 404 when n.pick < 0.98 then 422
        when n.pick < 0.99 then 429 when n.pick < 0.995 then 400 when n.pick < 0.998 then 401 when n.pick < 0.9995 then 403
        when n.pick < 0.99999 then 503 else 412 end::smallint as status,
      (array['${operations.join("','")}'])[case when n.chosen < 0.00001 then 8 else 1 + floor(n.chosen * 7)::int end] as operation
    from (
      select n.n, n.account, case when n.account >= 50 then 30 else 7 end::smallint as days, random() as pick, random() as chosen
      from (select n, case when random() < 0.33 then 1 else 1 + floor(60 * random() ^ 2)::int end as account
        from generate_series($1::bigint, $2::bigint) n) n
    ) n
  ) r (n, days, account, at, status, operation)`;

/** Inserts rows without indexes, in steps, and builds the indexes again. */
export async function fillRequestLog(client: pg.Client, rows: number, report: (line: string) => void): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
     where indrelid = 'accounts.request_log'::regclass`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(`select accounts.create_request_partitions(current_date - n) from generate_series(1, 31) n`);
  // the partitions that maintenance leaves
  await client.query('select accounts.prune_requests(0, 1)');
  const step = 500_000;
  for (let from = 1; from <= rows; from += step) {
    await client.query(insert, [from, Math.min(rows, from + step - 1)]);
    report(`${Math.min(rows, from + step - 1)} rows of the request log`);
  }
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { name, text } of indexes) {
    // PostgreSQL prints the definition of the parent's index alone
    await client.query(text.replace(' ON ONLY ', ' ON '));
    report(`index ${name}`);
  }
  await client.query('vacuum analyze accounts.request_log');
}
