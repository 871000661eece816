/** What the area tells projections of other areas besides the rows of athletes: who everybody sees, and the seasons that count. */
import { sql } from '../../../platform/database/database.ts';
import { ANONYMOUS } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import type { PlayedSeason } from '../resolvers.generated.ts';
import { isPublic } from '../athletes/visibility.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { visibleInLists } from '../athletes/visible-rows.ts';

/** An athlete, in any state, as other areas are told. */
export interface PublishedAthlete extends AthleteRow {
  readonly public: boolean;
  readonly minor: boolean;
  readonly country: string | null;
  readonly verified: boolean;
}

export const publishedAthlete = (row: AthleteRow): PublishedAthlete => ({
  ...row,
  public: isPublic(row),
  minor: isTreatedAsMinor(row),
  country: row.residence?.country ?? null,
  verified: row.verification.status === 'VERIFIED',
});

const idsMax = 1000;

interface SeasonOfAthlete extends PlayedSeason {
  readonly athleteId: string;
}

export function createPublishedFacts({ database }: Pick<AreaServices, 'database'>) {
  /** Seasons of athletes as they were computed or provided, by athlete. */
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
    /** At most 1000 ids of adults whom everybody sees, after an id. */
    async publicIds(after: string | null): Promise<string[]> {
      const rows = await database.query<{ id: string }>(sql`/* athletes.publicIds */ select id from athlete
        where ${visibleInLists(ANONYMOUS, false, ['PROFILE'])} and ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${idsMax}::int`);
      return rows.map(({ id }) => id);
    },
  };
}
