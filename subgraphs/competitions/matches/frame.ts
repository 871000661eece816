/** What a match belongs to: its season and stage, held as they are until the commit. */
import { Problem, validationProblem, type Violation } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { holdStage } from '../season-parts/implied-parts.ts';
import { seasonResource, type SeasonRow } from '../seasons/reads.ts';
import type { StageRow } from '../season-parts/rows.ts';

export interface Frame {
  readonly season: SeasonRow;
  readonly stage: StageRow;
}

/** The season of a new match: publishing, finishing and the match wait for one another. Throws Problem validation_failed (422), not_owner (403). */
async function holdSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const [row] = await transaction.query<SeasonRow>(
    sql`/* matches.holdSeason */ select ${seasonResource.table.columns} from season where id = ${id} for share`,
  );
  const shown = row !== undefined && (viewer.sport === null || row.sport === viewer.sport);
  if (shown && owns(viewer, row.accountId)) return row;
  if (shown && row.published) throw new Problem('not_owner', 'Matches are created by the account of their season.');
  throw validationProblem([{ pointer: '/seasonId', code: 'unknown_season', detail: 'There is no season with this id.' }]);
}

/** Finds the season and stage of matches; what a batch asks for again is remembered. */
export type Framing = (seasonId: string, stageId: string | null | undefined) => Promise<Frame>;

/** Remembers for as long as the transaction holds what it found: make a new one after a savepoint was rolled back. */
export function createFraming(transaction: WriteTransaction, viewer: Viewer): Framing {
  const seasons = new Map<string, Promise<SeasonRow>>();
  const stages = new Map<string, Promise<StageRow>>();
  const remember = <Row>(rows: Map<string, Promise<Row>>, key: string, read: () => Promise<Row>): Promise<Row> => {
    const row = rows.get(key) ?? read();
    rows.set(key, row);
    return row;
  };
  return async (seasonId, stageId) => {
    const season = await remember(seasons, seasonId, () => holdSeason(transaction, viewer, seasonId));
    const stage = await remember(stages, `${seasonId} ${stageId ?? ''}`, () => holdStage(transaction, season, stageId ?? null));
    return { season, stage };
  };
}

/** The fault of a group that a stage does not have. */
export function groupViolation(group: string | null | undefined, stage: StageRow): Violation | null {
  if (!group || stage.groups.includes(group)) return null;
  const known = stage.groups.length === 0 ? 'The stage has no groups' : `The groups of the stage are ${stage.groups.join(', ')}`;
  return { pointer: '/group', code: 'unknown_group', detail: `${known}: leave the group out, or change the stage first.` };
}
