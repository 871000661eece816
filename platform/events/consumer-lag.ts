/** How far the consumers are behind, as metrics: read from the databases at most once in ten seconds. */
import { cachedFor } from '../cached-result.ts';
import { join, raw, sql, type Queryable } from '../database/database.ts';
import type { Consumer } from './consumer.ts';
import { observe } from '../telemetry/metrics.ts';

const readEveryMs = 10_000;

const lagEvents = {
  name: 'platform_consumer_lag_events',
  help: 'Events that a consumer has not applied yet: the position of the outbox minus that of the inbox.',
  labelNames: ['consumer', 'source'],
};
const lagSeconds = {
  name: 'platform_consumer_lag_seconds',
  help: 'Age of the oldest event that a consumer has not applied yet; 0 without one.',
  labelNames: ['consumer', 'source'],
};
const deadLetters = {
  name: 'platform_dead_letters',
  help: 'Events that a consumer failed to apply.',
  labelNames: ['consumer', 'source'],
};

interface Progress {
  readonly consumer: string;
  readonly source: Consumer['source'];
  readonly position: number;
  readonly deadLetters: number;
}

interface Lag extends Pick<Progress, 'consumer' | 'source' | 'deadLetters'> {
  readonly events: number;
  readonly seconds: number;
}

async function readProgress(consumers: readonly Consumer[]): Promise<Progress[]> {
  const [first] = consumers;
  if (first === undefined) return [];
  const names = JSON.stringify(
    consumers.map(({ name, area, source }) => ({ name, source, consumer: `${area ?? 'relay'}/${name}` })),
  );
  return first.database.query<Progress>(sql`/* consumerLag.progress */
    select c.consumer, c.source, coalesce(i.position, 0) as position,
      (select count(*) from dead_letter d where d.consumer = c.name)::int as "deadLetters"
    from jsonb_to_recordset(${names}::jsonb) as c(name text, source text, consumer text) left join inbox i on i.source = c.name`);
}

async function readLags(database: Queryable, consumers: readonly Consumer[]): Promise<Lag[]> {
  const byDatabase = Map.groupBy(consumers, (consumer) => consumer.database);
  const progress = (await Promise.all([...byDatabase.values()].map(readProgress))).flat();
  if (progress.length === 0) return [];
  const parts = progress.map(({ consumer, source, position, deadLetters: failed }) => {
    const outbox = raw(`${source}.outbox`);
    return sql`select ${consumer}::text as consumer, ${source}::text as source, ${failed}::int as "deadLetters",
      greatest(0, coalesce((select max(position) from ${outbox}), 0) - ${position}::bigint)::int as events,
      coalesce(greatest(0, extract(epoch from now() - coalesce(
        (select at from ${outbox} where position > ${position}::bigint order by position limit 1),
        (select at from ${outbox} where position is null order by id limit 1)))), 0)::float8 as seconds`;
  });
  return database.query<Lag>(sql`/* consumerLag.lags */ ${join(parts, ' union all ')}`);
}

/**
 * Observes the consumers of a relay. Without an answer of the databases there are no values.
 * @param database of the relay, which reads the outboxes
 */
export function observeLags(database: Queryable, consumers: readonly Consumer[]): () => void {
  const applying = consumers.filter(({ apply, area }) => apply !== undefined && area !== undefined);
  const lags = cachedFor(readEveryMs, () => readLags(database, applying).catch(() => []));
  const values = (valueOf: (lag: Lag) => number) => async () =>
    (await lags()).map((lag) => [{ consumer: lag.consumer, source: lag.source }, valueOf(lag)] as const);
  const removals = [
    observe(
      lagEvents,
      values(({ events }) => events),
    ),
    observe(
      lagSeconds,
      values(({ seconds }) => seconds),
    ),
    observe(
      deadLetters,
      values((lag) => lag.deadLetters),
    ),
  ];
  return () => {
    for (const remove of removals) remove();
  };
}
