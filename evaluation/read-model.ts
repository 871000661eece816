/** The read model of scouting for a synthetic market, in an embedded PostgreSQL and filled by the projection of the platform. */
import { createGraphCaller } from '../schema/entry-point.ts';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sql, type Database } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../platform/log.ts';
import { migrate } from '../platform/database/migrate.ts';
import { areaRole, roleUrl } from '../platform/database/roles.ts';
import { generateSecret, openSecrets } from '../platform/security/secrets.ts';
import { migratedAreas } from '../subgraphs/runtime/migrations.ts';
import { projectAthletes, type PublishedAthlete } from '../subgraphs/scouting/projections/prospects.ts';
import { createProspectRenewal } from '../subgraphs/scouting/projections/cohorts.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';

export interface ReadModel {
  /** Connects as the scouting area. */
  readonly database: Database;
  /** Projects athletes and computes their cohorts and scores. */
  fill(athletes: readonly SyntheticAthlete[]): Promise<void>;
}

/** An athlete as the athletes area would publish it. */
export function publishedAthlete({ visible }: Pick<SyntheticAthlete, 'visible'>): PublishedAthlete {
  const { residence, sports, statistics, ...facts } = visible;
  return {
    ...facts,
    public: true,
    minor: false,
    verified: false,
    dominantHand: null,
    country: residence?.country ?? null,
    sports: sports.map((each) => ({ ...each, primary: true })),
    seasons: statistics.map(({ sport, eventCode, source, asOf, metrics }) => ({
      sport,
      seasonId: 'league 2026',
      competitionId: 'league',
      eventCode,
      source,
      matchesPlayed: metrics.find(({ key }) => key === 'matchesPlayed')?.value ?? null,
      minutesPlayed: null,
      matchesTimed: null,
      asOf,
      metrics,
    })),
  };
}

const stepSize = 500;

async function project(database: Database, athletes: readonly SyntheticAthlete[]): Promise<void> {
  for (let from = 0; from < athletes.length; from += stepSize) {
    const published = athletes.slice(from, from + stepSize).map(publishedAthlete);
    const ids = published.map(({ id }) => id);
    const graph = createGraphCaller(() => Promise.resolve({ athletesById: published, athleteOrganizations: [] }));
    await database.transaction((transaction) => projectAthletes(transaction, ids, graph));
  }
  const renew = createProspectRenewal(database);
  while (await renew());
}

/** A read model in a migrated database. The owner role updates the planner statistics. */
export function readModelOf(database: Database, owner: Database): ReadModel {
  return {
    database,
    async fill(athletes) {
      await project(database, athletes);
      // Autovacuum would do this in a running database.
      await owner.query(sql`/* evaluation.analyze */ analyze`);
    },
  };
}

/** A read model in an embedded PostgreSQL without durability. Disposing of `resources` stops it and removes its folder. */
export async function openReadModel(resources: AsyncDisposableStack): Promise<ReadModel> {
  const log = createLog({ name: 'evaluation', level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'talent-evaluation-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  // When started by root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  resources.defer(() => postgres.stop());
  const secrets = openSecrets(generateSecret());
  await migrate({ ownerUrl: postgres.url, areas: migratedAreas, secrets, log });
  const database = openDatabase({ url: roleUrl(postgres.url, areaRole('scouting'), secrets), name: 'scouting' });
  resources.defer(() => database.close());
  const owner = openDatabase({ url: postgres.url, name: 'evaluation', poolSize: 1 });
  resources.defer(() => owner.close());
  return readModelOf(database, owner);
}
