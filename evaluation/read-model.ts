/** The read model of scouting over a planted market: a PostgreSQL of its own, filled by the projection of the platform. */
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
  /** As scouting sees it. */
  readonly database: Database;
  /** Projects athletes, and makes their cohorts and scores, as the platform does. */
  fill(athletes: readonly SyntheticAthlete[]): Promise<void>;
}

/** As the athletes area would tell it. */
export function publishedAthlete({ visible }: Pick<SyntheticAthlete, 'visible'>): PublishedAthlete {
  const { residence, sports, statistics, ...facts } = visible;
  return {
    ...facts,
    public: true,
    minor: false,
    verified: false,
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
    const told = athletes.slice(from, from + stepSize).map(publishedAthlete);
    const ids = told.map(({ id }) => id);
    const graph = createGraphCaller(() => Promise.resolve({ athletesById: told, athleteOrganizations: [] }));
    await database.transaction((transaction) => projectAthletes(transaction, ids, graph));
  }
  const renew = createProspectRenewal(database);
  while (await renew());
}

/** A read model over a migrated database, whose owner gathers statistics of what is filled. */
export function readModelOf(database: Database, owner: Database): ReadModel {
  return {
    database,
    async fill(athletes) {
      await project(database, athletes);
      // as a database that runs has done long ago
      await owner.query(sql`/* evaluation.analyze */ analyze`);
    },
  };
}

/** A read model in a database of its own without durability; disposing of the resources stops PostgreSQL and removes its folder. */
export async function openReadModel(resources: AsyncDisposableStack): Promise<ReadModel> {
  const log = createLog({ name: 'evaluation', level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'talent-evaluation-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL of root runs as another account, which must pass through
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
