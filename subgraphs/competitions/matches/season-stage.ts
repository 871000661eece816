/** Loads and locks the season and the stage of a new match. */
import { Problem, validationProblem, type Violation } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { lockOrCreateStage } from '../season-parts/implied-parts.ts';
import { seasonResource, type SeasonRow } from '../seasons/rows.ts';
import type { StageRow } from '../stages/rows.ts';

export interface SeasonStage {
  readonly season: SeasonRow;
  readonly stage: StageRow;
}

/** Locks the season against publishing and finishing until the commit. Throws Problem validation_failed (422) or not_owner (403). */
async function lockSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const [row] = await transaction.query<SeasonRow>(
    sql`/* matches.lockSeason */ select ${seasonResource.table.columns} from season where id = ${id} for share`,
  );
  const isOfSport = row !== undefined && (viewer.sport === null || row.sport === viewer.sport);
  if (isOfSport && owns(viewer, row.accountId)) return row;
  if (isOfSport && row.published) throw new Problem('not_owner', 'Only the account that owns the season can create its matches.');
  throw validationProblem([{ pointer: '/seasonId', code: 'unknown_season', detail: 'There is no season with this ID.' }]);
}

/** Finds the season and the stage of a match. Results are cached for the items of a batch. */
export type SeasonStageLoader = (seasonId: string, stageId: string | null | undefined) => Promise<SeasonStage>;

/** Caches rows as long as the transaction holds their locks: create a new loader after a rollback to a savepoint. */
export function createSeasonStageLoader(transaction: WriteTransaction, viewer: Viewer): SeasonStageLoader {
  const seasons = new Map<string, Promise<SeasonRow>>();
  const stages = new Map<string, Promise<StageRow>>();
  const cached = <Row>(rows: Map<string, Promise<Row>>, key: string, read: () => Promise<Row>): Promise<Row> => {
    const row = rows.get(key) ?? read();
    rows.set(key, row);
    return row;
  };
  return async (seasonId, stageId) => {
    const season = await cached(seasons, seasonId, () => lockSeason(transaction, viewer, seasonId));
    const stage = await cached(stages, `${seasonId} ${stageId ?? ''}`, () =>
      lockOrCreateStage(transaction, season, stageId ?? null),
    );
    return { season, stage };
  };
}

/** The violation for a group that the stage does not have. */
export function groupViolation(group: string | null | undefined, stage: StageRow): Violation | null {
  if (!group || stage.groups.includes(group)) return null;
  const known = stage.groups.length === 0 ? 'The stage has no groups' : `The stage has the groups ${stage.groups.join(', ')}`;
  return { pointer: '/group', code: 'unknown_group', detail: `${known}. Remove \`group\`, or change the stage first.` };
}
