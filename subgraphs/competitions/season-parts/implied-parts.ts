/** Locks the season, contest and stage of a write. Creates the contest and the stage of simple seasons automatically. */
import { Problem, validationProblem, type Violation } from '../../../schema/errors.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertResource, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { contestResource, type ContestRow } from '../contests/rows.ts';
import { requireOpen } from '../seasons/open-season.ts';
import type { CompetitionType, StageType } from '../generated/resolvers.ts';
import { seasonResource, type SeasonRow } from '../seasons/rows.ts';
import { stageResource, type StageRow } from '../stages/rows.ts';

/**
 * Locks a season of the viewer against changes: publishing and finishing it run before or after the write, not during it.
 * Throws Problem not_found (404; also where the viewer cannot read the season) or not_owner (403).
 */
async function lockSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const [row] = await transaction.query<SeasonRow>(
    sql`/* seasons.lock */ select ${seasonResource.table.columns} from season where id = ${id} for share`,
  );
  const isOfSport = row !== undefined && (viewer.sport === null || row.sport === viewer.sport);
  if (isOfSport && (owns(viewer, row.accountId) || hasFullAccess(viewer))) return row;
  if (isOfSport && row.published) throw new Problem('not_owner', 'This season belongs to another account.');
  throw resourceNotFound('season', id);
}

/** Locks a season for a write of its parts. Also throws Problem invalid_transition (409) where it is cancelled or archived. */
export async function lockOpenSeason(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<SeasonRow> {
  const season = await lockSeason(transaction, viewer, id);
  requireOpen(season.status);
  return season;
}

export const unknownContestViolation: Violation = {
  pointer: '/contestId',
  code: 'unknown_contest',
  detail: 'The season has no contest with this ID.',
};

const seasonValues = ({ id, accountId, published, sport }: SeasonRow) => ({ seasonId: id, accountId, published, sport });

/** Keeps two concurrent writes from both creating an implied contest or stage. */
async function lockImplied(transaction: WriteTransaction, season: SeasonRow): Promise<void> {
  await transaction.query(
    sql`/* seasons.lockImplied */ select pg_advisory_xact_lock(hashtextextended(${`implied ${season.id}`}, 0))`,
  );
}

/** The contest with the id, or without an ID the first two contests of the season: a single contest is the default. */
function readContests(transaction: WriteTransaction, season: SeasonRow, id: string | null): Promise<ContestRow[]> {
  return transaction.query<ContestRow>(sql`/* contests.lock */ select ${contestResource.table.columns} from contest
    where season_id = ${season.id} and ${id === null ? sql`true` : sql`id = ${id}`} order by ordinal, id limit 2 for share`);
}

/**
 * The contest with the id, or the only contest of the season. Creates an implied contest where the season has none.
 * Throws Problem validation_failed (422) for a contest of another season, and where the season has several contests and none is given.
 */
export async function lockOrCreateContest(
  transaction: WriteTransaction,
  season: SeasonRow,
  contestId: string | null,
): Promise<ContestRow> {
  const known = await readContests(transaction, season, contestId);
  if (known.length === 0 && contestId === null) await lockImplied(transaction, season);
  const [contest, another] = known.length === 0 ? await readContests(transaction, season, contestId) : known;
  if (contest && !another) return contest;
  if (another) {
    const detail = 'The season has several contests. Set `contestId`.';
    throw validationProblem([{ pointer: '/contestId', code: 'required', detail }]);
  }
  if (contestId !== null) throw validationProblem([unknownContestViolation]);
  const implied = { ...seasonValues(season), name: season.name, implied: true };
  return insertResource(transaction, contestResource, implied, null, { seasonId: season.id });
}

/** The stage that is created automatically for each type of competition. */
const impliedStages: Readonly<Record<CompetitionType, { readonly type: StageType; readonly name: string } | null>> = {
  LEAGUE: { type: 'LEAGUE', name: 'League' },
  SERIES: { type: 'LEAGUE', name: 'Series' },
  FRIENDLY: { type: 'LEAGUE', name: 'Friendlies' },
  CUP: { type: 'KNOCKOUT', name: 'Knock-out' },
  TOURNAMENT: { type: 'KNOCKOUT', name: 'Knock-out' },
  MEET: null,
};

function readStages(transaction: WriteTransaction, season: SeasonRow, id: string | null): Promise<StageRow[]> {
  return transaction.query<StageRow>(sql`/* stages.lock */ select ${stageResource.table.columns} from stage
    where season_id = ${season.id} and ${id === null ? sql`true` : sql`id = ${id}`} order by ordinal, id limit 2 for share`);
}

async function createStage(transaction: WriteTransaction, season: SeasonRow): Promise<StageRow> {
  const [competition] = await transaction.query<{ type: CompetitionType }>(
    sql`/* stages.competitionType */ select type from competition where id = ${season.competitionId}`,
  );
  const implied = competition ? impliedStages[competition.type] : null;
  if (!implied) {
    const detail = 'A meet has no default stage. Create a contest and a stage, and set `stageId`.';
    throw validationProblem([{ pointer: '/stageId', code: 'required', detail }]);
  }
  const contest = await lockOrCreateContest(transaction, season, null);
  const stage = { ...seasonValues(season), ...implied, contestId: contest.id };
  return insertResource(transaction, stageResource, stage, null, { seasonId: season.id });
}

/**
 * The stage with the id, or the only stage of the season. Creates one by the type of the competition where the season has none.
 * Throws Problem validation_failed (422) for a stage of another season, where the season has several stages and none is given, and for a meet.
 */
export async function lockOrCreateStage(
  transaction: WriteTransaction,
  season: SeasonRow,
  stageId: string | null,
): Promise<StageRow> {
  const known = await readStages(transaction, season, stageId);
  if (known.length === 0 && stageId === null) await lockImplied(transaction, season);
  const [stage, another] = known.length === 0 ? await readStages(transaction, season, stageId) : known;
  if (stage && !another) return stage;
  if (another) {
    const detail = 'The season has several stages. Set `stageId`.';
    throw validationProblem([{ pointer: '/stageId', code: 'required', detail }]);
  }
  if (stageId !== null) {
    const detail = 'The season has no stage with this ID.';
    throw validationProblem([{ pointer: '/stageId', code: 'unknown_stage', detail }]);
  }
  return createStage(transaction, season);
}
