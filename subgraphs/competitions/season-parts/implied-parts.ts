/** The season, contest and stage that something is written into, held until the commit; made where a season needs no other. */
import { Problem, validationProblem, type Violation } from '../../../schema/errors.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertResource, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { CompetitionType, StageType } from '../resolvers.generated.ts';
import { refuseOver } from '../matches/match-states.ts';
import { contestResource, stageResource, type ContestRow, type StageRow } from './rows.ts';
import { seasonResource, type SeasonRow } from '../seasons/reads.ts';

/**
 * A season of the viewer's, held as it is: publishing and finishing it wait for the write, or the write for them.
 * Throws Problem not_found (404; also for what the viewer may not even know) or not_owner (403).
 */
export async function holdSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const [row] = await transaction.query<SeasonRow>(
    sql`/* seasons.hold */ select ${seasonResource.table.columns} from season where id = ${id} for share`,
  );
  const shown = row !== undefined && (viewer.sport === null || row.sport === viewer.sport);
  if (shown && (owns(viewer, row.accountId) || hasFullAccess(viewer))) return row;
  if (shown && row.published) throw new Problem('not_owner', 'This season belongs to another account.');
  throw resourceNotFound('season', id);
}

/** The same for a write of its parts. Throws Problem invalid_transition (409), too, where the season was called off or archived. */
export async function holdOpenSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const season = await holdSeason(transaction, viewer, id);
  refuseOver(season.status);
  return season;
}

export const unknownContest: Violation = {
  pointer: '/contestId',
  code: 'unknown_contest',
  detail: 'There is no contest with this id in the season.',
};

const partOf = ({ id, accountId, published, sport }: SeasonRow) => ({ seasonId: id, accountId, published, sport });

/** Two writes that find a season without contests or stages make one together, not two. */
async function lockImplied(transaction: WriteTransaction, season: SeasonRow): Promise<void> {
  await transaction.query(
    sql`/* seasons.lockImplied */ select pg_advisory_xact_lock(hashtextextended(${`implied ${season.id}`}, 0))`,
  );
}

/** The named contest of a season, or its first two: whoever names none means the only one. */
function readContests(transaction: WriteTransaction, season: SeasonRow, id: string | null): Promise<ContestRow[]> {
  return transaction.query<ContestRow>(sql`/* contests.hold */ select ${contestResource.table.columns} from contest
    where season_id = ${season.id} and ${id === null ? sql`true` : sql`id = ${id}`} order by ordinal, id limit 2 for share`);
}

/**
 * The contest that is named, or the only one of the season; an implied one is made where there is none.
 * Throws Problem validation_failed (422) for a contest of another season, or where there are several and none is named.
 */
export async function holdContest(
  transaction: WriteTransaction,
  season: SeasonRow,
  contestId: string | null,
): Promise<ContestRow> {
  const known = await readContests(transaction, season, contestId);
  if (known.length === 0 && contestId === null) await lockImplied(transaction, season);
  const [contest, another] = known.length === 0 ? await readContests(transaction, season, contestId) : known;
  if (contest && !another) return contest;
  if (another)
    throw validationProblem([{ pointer: '/contestId', code: 'required', detail: 'The season has several contests: name one.' }]);
  if (contestId !== null) throw validationProblem([unknownContest]);
  const implied = { ...partOf(season), name: season.name, implied: true };
  return insertResource(transaction, contestResource, implied, null, { seasonId: season.id });
}

/** The stage that a season of a competition of this type has, unless another one was made. */
const impliedStages: Readonly<Record<CompetitionType, { readonly type: StageType; readonly name: string } | null>> = {
  LEAGUE: { type: 'LEAGUE', name: 'League' },
  SERIES: { type: 'LEAGUE', name: 'Series' },
  FRIENDLY: { type: 'LEAGUE', name: 'Friendlies' },
  CUP: { type: 'KNOCKOUT', name: 'Knock-out' },
  TOURNAMENT: { type: 'KNOCKOUT', name: 'Knock-out' },
  MEET: null,
};

function readStages(transaction: WriteTransaction, season: SeasonRow, id: string | null): Promise<StageRow[]> {
  return transaction.query<StageRow>(sql`/* stages.hold */ select ${stageResource.table.columns} from stage
    where season_id = ${season.id} and ${id === null ? sql`true` : sql`id = ${id}`} order by ordinal, id limit 2 for share`);
}

async function makeStage(transaction: WriteTransaction, season: SeasonRow): Promise<StageRow> {
  const [competition] = await transaction.query<{ type: CompetitionType }>(
    sql`/* stages.competitionType */ select type from competition where id = ${season.competitionId}`,
  );
  const implied = competition ? impliedStages[competition.type] : null;
  if (!implied) {
    const detail = 'A meet has contests and stages of its own: make the contest and its stage first, and name the stage.';
    throw validationProblem([{ pointer: '/stageId', code: 'required', detail }]);
  }
  const contest = await holdContest(transaction, season, null);
  const stage = { ...partOf(season), ...implied, contestId: contest.id };
  return insertResource(transaction, stageResource, stage, null, { seasonId: season.id });
}

/**
 * The stage that is named, or the only one of the season; one is made by the type of the competition where there is none.
 * Throws Problem validation_failed (422) for a stage of another season, where there are several and none is named, and in a meet.
 */
export async function holdStage(transaction: WriteTransaction, season: SeasonRow, stageId: string | null): Promise<StageRow> {
  const known = await readStages(transaction, season, stageId);
  if (known.length === 0 && stageId === null) await lockImplied(transaction, season);
  const [stage, another] = known.length === 0 ? await readStages(transaction, season, stageId) : known;
  if (stage && !another) return stage;
  if (another)
    throw validationProblem([{ pointer: '/stageId', code: 'required', detail: 'The season has several stages: name one.' }]);
  if (stageId !== null) {
    const detail = 'There is no stage with this id in the season.';
    throw validationProblem([{ pointer: '/stageId', code: 'unknown_stage', detail }]);
  }
  return makeStage(transaction, season);
}
