/** Writes seasons. A season belongs to the account of its competition. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { sql } from '../../../platform/database/database.ts';
import { lockForTransition, lockOwnedAt, type TransitionArguments } from '../../../platform/writes/lifecycle.ts';
import { changeRow, insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { competitionResource, type CompetitionRow } from '../competitions/rows.ts';
import { competitionConstraints } from '../constraints.ts';
import { moveUndatedMatches } from '../matches/patch.ts';
import { effectiveRules, overlayRules } from '../ranking-rules/rules.ts';
import type { CreateSeasonInput, RankingRulesInput, UpdateSeasonInput } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import type { RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';
import { requireNoOpenMatches } from './open-matches.ts';
import { publishSeasonParts } from './publication.ts';
import type { SeasonReads } from './reads.ts';
import { seasonTransitions, seasonViolations, type SeasonVerb } from './rules.ts';
import { seasonResource, type SeasonRow } from './rows.ts';

/** Publishes the seasons of a competition that this transaction publishes, with everything that belongs to them. */
export async function publishSeasons(transaction: WriteTransaction, competitionId: string): Promise<void> {
  const rows =
    await transaction.query<SeasonRow>(sql`/* seasons.lockOfCompetition */ select ${seasonResource.table.columns} from season
    where competition_id = ${competitionId} and not published order by id for update`);
  for (const row of rows) {
    await changeRow(transaction, seasonResource, row, { published: true }, { action: 'publish', event: 'season.status_changed' });
  }
  const ids = rows.map(({ id }) => id);
  await publishSeasonParts(transaction, ids);
  // Best marks count results of published seasons only.
  await refreshRankings(transaction, ids.map(wholeSeason));
}

/** Recomputes all rankings of a competition's seasons after a change of the competition that they depend on. */
export async function refreshSeasons(transaction: WriteTransaction, competitionId: string): Promise<void> {
  const seasons = await transaction.query<{ id: string }>(
    sql`/* seasons.ofCompetition */ select id from season where competition_id = ${competitionId} order by id`,
  );
  await refreshRankings(
    transaction,
    seasons.map(({ id }) => wholeSeason(id)),
  );
}

const wholeSeason = (seasonId: string): RankingScope => ({ seasonId, contestId: null, stageId: null, groupName: null });

/** Locks the competition of a new season against changes, so that publishing and this write run one after the other. Null when the viewer cannot read it. */
async function lockCompetition(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<CompetitionRow | null> {
  const [row] = await transaction.query<CompetitionRow>(
    sql`/* seasons.lockCompetition */ select ${competitionResource.table.columns} from competition where id = ${id} for share`,
  );
  if (row && owns(viewer, row.accountId)) return row;
  if (!row || !competitionResource.isPublic(row)) return null;
  throw new Problem('not_owner', 'Only the account that owns the competition can create its seasons.');
}

/** Throws Problem conflict (409) with the ID of the season of a competition that has the name. */
async function requireFreeName(transaction: WriteTransaction, competitionId: string, name: string): Promise<void> {
  const [known] = await transaction.query<{ id: string }>(sql`/* seasons.named */
    select id from season where competition_id = ${competitionId} and name = ${name} and status <> 'CANCELLED'`);
  if (known) throw new Problem('conflict', competitionConstraints.season_name.detail, { existingId: known.id });
}

async function insert(transaction: WriteTransaction, viewer: Viewer, input: CreateSeasonInput): Promise<SeasonRow> {
  const competition = await lockCompetition(transaction, viewer, input.competitionId);
  const violations = seasonViolations(input);
  if (!competition) {
    const detail = 'There is no competition with this ID.';
    throw validationProblem([{ pointer: '/competitionId', code: 'unknown_competition', detail }, ...violations]);
  }
  const { name, startDate, endDate, status, rankingRules, externalIds } = input;
  const ranked = overlayRules(effectiveRules(competition), rankingRules ?? {});
  rejectInvalid([
    ...violations,
    ...ranked.violations,
    competition.status === 'ARCHIVED' && {
      pointer: '/competitionId',
      code: 'archived',
      detail: 'The competition is archived. It accepts no new seasons.',
    },
  ]);
  await requireFreeName(transaction, competition.id, name);
  const { accountId, sport } = competition;
  const values = rowValues<SeasonRow>({
    competitionId: competition.id,
    name,
    startDate,
    endDate,
    status,
    sport,
    published: competitionResource.isPublic(competition),
    rankingRules: ranked.rules,
  });
  return insertResource(transaction, seasonResource, { ...values, accountId }, externalIds, { competitionId: competition.id });
}

/** The season's rules after a patch: its own rules with the changes, or for null the current rules of the competition. */
async function patchedRules(transaction: WriteTransaction, before: SeasonRow, input: RankingRulesInput | null) {
  if (input) return overlayRules(effectiveRules(before), input);
  const [competition] = await transaction.query<CompetitionRow>(
    sql`/* seasons.competition */ select ${competitionResource.table.columns} from competition where id = ${before.competitionId}`,
  );
  if (!competition) throw new Error(`season ${before.id} has no competition`);
  return overlayRules(effectiveRules(competition), {});
}

async function patch(transaction: WriteTransaction, before: SeasonRow, input: UpdateSeasonInput): Promise<SeasonRow> {
  const { name, startDate, endDate, rankingRules, externalIds } = input;
  const ranked = rankingRules === undefined ? null : await patchedRules(transaction, before, rankingRules);
  rejectInvalid([
    ...seasonViolations({ startDate: startDate ?? before.startDate, endDate: endDate ?? before.endDate }),
    ...(ranked?.violations ?? []),
  ]);
  const changes = {
    ...rowValues<SeasonRow>({ name, startDate, endDate }),
    ...(ranked && { rankingRules: ranked.rules }),
  };
  if (name && name !== before.name) await requireFreeName(transaction, before.competitionId, name);
  const after = await patchResource(transaction, seasonResource, before, changes, externalIds);
  const moved = after.startDate !== before.startDate;
  if (moved) await moveUndatedMatches(transaction, after.id, after.startDate);
  // Undated matches are ordered by the season's first day: form, ratings and previous positions depend on that order.
  if (moved || (ranked && !isDeepStrictEqual(before.rankingRules, after.rankingRules)))
    await refreshRankings(transaction, [wholeSeason(after.id)]);
  return after;
}

/** Updates the season of one batch item, without its status. */
function patchFromItem(
  transaction: WriteTransaction,
  before: SeasonRow,
  { competitionId, status: _, ...values }: CreateSeasonInput,
): Promise<SeasonRow> {
  const detail = 'The competition of a season cannot change.';
  rejectInvalid([competitionId !== before.competitionId && immutableViolation('competitionId', detail)]);
  return patch(transaction, before, values);
}

/** Moves a season to another status. Throws Problem invalid_transition (409), also for the end of a season with open matches. */
async function applyTransition(transaction: WriteTransaction, viewer: Viewer, verb: SeasonVerb, id: string): Promise<SeasonRow> {
  const { row, status } = await lockForTransition(transaction, seasonResource, seasonTransitions, viewer, verb, id);
  if (verb === 'finish') await requireNoOpenMatches(transaction, row);
  return changeRow(transaction, seasonResource, row, { status }, { action: verb, event: 'season.status_changed' });
}

/** Creates the writes of seasons. */
export function createSeasonWrites({ writer }: AreaServices, reads: SeasonReads) {
  const reloading = replaysOf(reads.byId);

  return {
    create(context: Context, input: CreateSeasonInput, key: string | null | undefined): Promise<SeasonRow> {
      requireAccount(context.viewer);
      const work = (transaction: WriteTransaction): Promise<SeasonRow> => insert(transaction, context.viewer, input);
      return writer.write(context, work, reloading(context, 'createSeason', key, input));
    },
    update(context: Context, id: string, input: UpdateSeasonInput, ifMatch: string): Promise<SeasonRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, seasonResource, context.viewer, { id, ifMatch });
        return patch(transaction, before, input);
      });
    },
    transition(context: Context, verb: SeasonVerb, { id, idempotencyKey }: TransitionArguments): Promise<SeasonRow> {
      const work = (transaction: WriteTransaction) => applyTransition(transaction, context.viewer, verb, id);
      return writer.write(context, work, reloading(context, `${verb}Season`, idempotencyKey, { id }));
    },
    upsert(
      context: Context,
      items: readonly CreateSeasonInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      return upsertByExternalId(writer, context, {
        operation: 'upsertSeasons',
        idempotencyKey,
        items,
        constraints: competitionConstraints,
        resource: seasonResource,
        accountId,
        insert: (transaction, item) => insert(transaction, context.viewer, item),
        update: patchFromItem,
        status: {
          verbs: ['start', 'finish'],
          apply: (transaction, { id }, verb) => applyTransition(transaction, context.viewer, verb, id),
        },
      });
    },
  };
}
