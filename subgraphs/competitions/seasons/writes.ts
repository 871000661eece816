/** Seasons: their writes. A season belongs to the account of its competition. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { sql } from '../../../platform/database/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwned,
  lockRow,
  patchResource,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { overlay, rulesOf } from '../ranking-rules/rules.ts';
import type { CreateSeasonInput, RankingRulesInput, UpdateSeasonInput } from '../resolvers.generated.ts';
import { seasonViolations, seasonTransitions, type SeasonVerb } from '../competitions/rules.ts';
import { competitionResource, type CompetitionRow } from '../competitions/reads.ts';
import { refuseOpenMatches } from './open-matches.ts';
import { moveUndated } from '../matches/patch.ts';
import { publishParts } from './publication.ts';
import type { RankingScope } from '../season-rankings/rows.ts';
import { refreshRankings } from '../season-rankings/writes.ts';
import { seasonResource, type SeasonRow, type SeasonStore } from './reads.ts';

/** Shows the seasons of a competition that is published in this transaction, with all that belongs to them. */
export async function publishSeasons(transaction: WriteTransaction, competitionId: string): Promise<void> {
  const rows =
    await transaction.query<SeasonRow>(sql`/* seasons.lockOfCompetition */ select ${seasonResource.table.columns} from season
    where competition_id = ${competitionId} and not published order by id for update`);
  for (const row of rows) {
    await changeRow(transaction, seasonResource, row, { published: true }, { action: 'publish', event: 'season.status_changed' });
  }
  const ids = rows.map(({ id }) => id);
  await publishParts(transaction, ids);
  // best marks are those of seasons that everybody sees
  await refreshRankings(transaction, ids.map(wholeSeason));
}

/** Makes all rankings of a competition's seasons anew: what they depend on is the competition's, and changed. */
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

/** The competition of a new season, held as it is until the commit: publishing waits for the season, or the season for it. Null when there is none to be seen. */
async function holdCompetition(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<CompetitionRow | null> {
  const [row] = await transaction.query<CompetitionRow>(
    sql`/* seasons.holdCompetition */ select ${competitionResource.table.columns} from competition where id = ${id} for share`,
  );
  if (row && owns(viewer, row.accountId)) return row;
  if (!row || !competitionResource.isPublic(row)) return null;
  throw new Problem('not_owner', 'Seasons are created by the account of their competition.');
}

async function insert(transaction: WriteTransaction, viewer: Viewer, input: CreateSeasonInput): Promise<SeasonRow> {
  const competition = await holdCompetition(transaction, viewer, input.competitionId);
  const violations = seasonViolations(input);
  if (!competition) {
    const detail = 'There is no competition with this id.';
    throw validationProblem([{ pointer: '/competitionId', code: 'unknown_competition', detail }, ...violations]);
  }
  const { externalIds, rankingRules, ...values } = input;
  const ranked = overlay(rulesOf(competition), rankingRules ?? {});
  rejectInvalid([
    ...violations,
    ...ranked.violations,
    competition.status === 'ARCHIVED' && {
      pointer: '/competitionId',
      code: 'archived',
      detail: 'An archived competition has no further seasons.',
    },
  ]);
  const { accountId, sport } = competition;
  const facts = { accountId, sport, published: competitionResource.isPublic(competition), rankingRules: ranked.rules };
  const row = { ...(values as Partial<SeasonRow>), ...facts };
  return insertResource(transaction, seasonResource, row, externalIds, { competitionId: competition.id });
}

/** The rules that a patch leaves a season with: what it changes of its own, or with null those of the competition as they are now. */
async function patchedRules(transaction: WriteTransaction, before: SeasonRow, input: RankingRulesInput | null) {
  if (input) return overlay(rulesOf(before), input);
  const [competition] = await transaction.query<CompetitionRow>(
    sql`/* seasons.competition */ select ${competitionResource.table.columns} from competition where id = ${before.competitionId}`,
  );
  if (!competition) throw new Error(`season ${before.id} has no competition`);
  return overlay(rulesOf(competition), {});
}

async function patch(transaction: WriteTransaction, before: SeasonRow, input: UpdateSeasonInput): Promise<SeasonRow> {
  const { externalIds, rankingRules, ...values } = input;
  const { startDate, endDate } = input;
  const ranked = rankingRules === undefined ? null : await patchedRules(transaction, before, rankingRules);
  rejectInvalid([
    ...seasonViolations({ startDate: startDate ?? before.startDate, endDate: endDate ?? before.endDate }),
    ...(ranked?.violations ?? []),
  ]);
  const changes = { ...(values as Partial<SeasonRow>), ...(ranked && { rankingRules: ranked.rules }) };
  const after = await patchResource(transaction, seasonResource, before, changes, externalIds);
  const moved = after.startDate !== before.startDate;
  if (moved) await moveUndated(transaction, after.id, after.startDate);
  // the order of matches is one of days: form, ratings and the places before follow from it
  if (moved || (ranked && !isDeepStrictEqual(before.rankingRules, after.rankingRules)))
    await refreshRankings(transaction, [wholeSeason(after.id)]);
  return after;
}

/** Writes of seasons over the area's database. */
export function createSeasonWrites({ writer }: AreaServices, store: SeasonStore) {
  const reloading = replaysOf(store.byId);

  return {
    create(context: Context, input: CreateSeasonInput, key: string | null | undefined): Promise<SeasonRow> {
      requireAccount(context.viewer);
      const work = (transaction: WriteTransaction): Promise<SeasonRow> => insert(transaction, context.viewer, input);
      return writer.write(context, work, reloading(context, 'createSeason', key, input));
    },
    update(context: Context, id: string, input: UpdateSeasonInput, ifMatch: string): Promise<SeasonRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, seasonResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, before, input);
      });
    },
    /** Takes a step of the state machine as the owner. */
    transition(context: Context, verb: SeasonVerb, step: { id: string; idempotencyKey?: string | null | undefined }) {
      const { id, idempotencyKey } = step;
      const take = async (transaction: WriteTransaction): Promise<SeasonRow> => {
        const row = await lockOwned(transaction, seasonResource, context.viewer, id);
        const status = nextState(seasonTransitions, verb, row.status, ['OWNER']);
        if (verb === 'finish') await refuseOpenMatches(transaction, row);
        return changeRow(transaction, seasonResource, row, { status }, { action: verb, event: 'season.status_changed' });
      };
      return writer.write(context, take, reloading(context, `${verb}Season`, idempotencyKey, { id }));
    },
    upsert(
      context: Context,
      items: readonly CreateSeasonInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const request = {
        operation: 'upsertSeasons',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'season', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, context.viewer, item));
        const before = await lockRow(transaction, seasonResource, id);
        rejectInvalid([
          item.competitionId !== before.competitionId && {
            pointer: '/competitionId',
            code: 'immutable',
            detail: 'A season stays with its competition.',
          },
        ]);
        // The state is never patched: it is the one to begin in.
        const { status: _, competitionId: __, ...values } = item;
        return upsertOutcome(before, await patch(transaction, before, values));
      });
    },
  };
}
