/** Facts about athletes that other areas project: the published profile and the seasons that count. */
import { sql } from '../../../platform/database/database.ts';
import { ANONYMOUS } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { isPublic } from '../athletes/visibility.ts';
import { visibleInLists } from '../athletes/visible-rows.ts';
import type { PlayedSeason } from '../generated/resolvers.ts';

/** An athlete in any status, as published to other areas. */
export type PublishedAthlete = AthleteRow & {
  readonly public: boolean;
  readonly minor: boolean;
  readonly country: string | null;
  readonly verified: boolean;
};

export const publishedAthlete = (row: AthleteRow): PublishedAthlete => ({
  ...row,
  public: isPublic(row),
  minor: isTreatedAsMinor(row),
  country: row.residence?.country ?? null,
  verified: row.verification.status === 'VERIFIED',
});

const pageSize = 1000;

interface SeasonOfAthlete extends PlayedSeason {
  readonly athleteId: string;
}

/** Creates the reads that projections of other areas use in addition to the rows. */
export function createPublishedFacts({ database }: Pick<AreaServices, 'database'>) {
  /** Computed and provided seasons by athlete. Self-reported ones are excluded. */
  const seasons: BatchRead<string, PlayedSeason[]> = async (ids) => {
    const rows = await database.query<SeasonOfAthlete>(sql`/* statistics.seasonsOf */
      select athlete_id as "athleteId", sport, season_id as "seasonId", competition_id as "competitionId", event_code as "eventCode", source,
        matches_played as "matchesPlayed", minutes_played as "minutesPlayed", matches_timed as "matchesTimed", as_of as "asOf", metrics
      from statistics where athlete_id = any(${[...ids]}::uuid[]) and scope = 'SEASON' and source <> 'SELF_REPORTED' order by id`);
    const byAthlete = Map.groupBy(rows, ({ athleteId }) => athleteId);
    return ids.map((id) => byAthlete.get(id) ?? []);
  };

  return {
    seasons,
    /** Up to 1000 ids of adults with a public profile, after an id. */
    async publicIds(after: string | null): Promise<string[]> {
      const rows = await database.query<{ id: string }>(sql`/* athletes.publicIds */ select id from athlete
        where ${visibleInLists(ANONYMOUS, false, ['PROFILE'])} and ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${pageSize}::int`);
      return rows.map(({ id }) => id);
    },
  };
}
