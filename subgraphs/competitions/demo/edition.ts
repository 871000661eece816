/** Demo rows of a season with all its matches, and the rankings that follow from its results. */
import type { BulkRow } from '../../../platform/database/bulk-load.ts';
import type { DemoEdition } from '../../../schema/demo-edition.ts';
import type { DemoData } from '../../../schema/demo.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import { addExternalId, type AddRow } from '../../runtime/area-seed.ts';
import { adjustmentResource } from '../adjustments/rows.ts';
import { markListOf } from '../best-marks/rules.ts';
import { bestOfContest } from '../best-marks/writes.ts';
import { contestResource } from '../contests/rows.ts';
import { matchActionResource } from '../match-actions/rows.ts';
import { matchParticipants } from '../match-participants/rows.ts';
import { matchResource } from '../matches/rows.ts';
import { participantResource } from '../participants/rows.ts';
import { replays } from '../replays/rows.ts';
import { resultResource } from '../results/rows.ts';
import type { RankingFacts } from '../season-rankings/facts.ts';
import { rankingsOf } from '../season-rankings/rankings-of.ts';
import { stageResource } from '../stages/rows.ts';
import { bulkRow } from './bulk.ts';
import { matchRows, type MatchRows } from './match-rows.ts';
import { seasonParts, type SeasonParts } from './season-rows.ts';

function addParts({ contests, stages, participants, adjustments }: SeasonParts, add: AddRow): void {
  for (const row of contests) add('contest', bulkRow(contestResource.table, row));
  for (const row of stages) add('stage', bulkRow(stageResource.table, row));
  for (const row of participants) add('participant', bulkRow(participantResource.table, row));
  for (const row of adjustments) add('adjustment', bulkRow(adjustmentResource.table, row));
}

function addMatch({ match, entries, actions, result, versions }: MatchRows, add: AddRow): void {
  add('match', bulkRow(matchResource.table, match));
  for (const row of entries) add('match_participant', bulkRow(matchParticipants, row));
  for (const row of actions) add('match_action', bulkRow(matchActionResource.table, row));
  if (result) add('result', bulkRow(resultResource.table, result));
  for (const { resultId, version, at, status, reason, duration, endedBy, participants } of versions) {
    const jsons = { endedBy: endedBy && JSON.stringify(endedBy), participants: JSON.stringify(participants) };
    add('result_version', { resultId, version, at, status, reason, duration, ...jsons });
  }
}

function addReplays({ competition, season, matches }: DemoEdition, rows: readonly MatchRows[], add: AddRow): void {
  for (const [index, { id: matchId, replay }] of matches.entries()) {
    const result = rows[index]?.result;
    if (!replay || !result) continue;
    const { id, title, kind, durationSeconds, tags } = replay;
    const { accountId, createdAt } = result;
    const athleteIds = [...new Set(tags.map(({ athleteId }) => athleteId))];
    add(
      'replay',
      bulkRow(replays, {
        id,
        accountId,
        version: 1,
        createdAt,
        updatedAt: createdAt,
        status: 'PUBLISHED',
        statusReason: null,
        published: true,
        matchId,
        seasonId: season.id,
        athleteId: null,
        athleteIds,
        reviewedAthleteIds: [],
        sport: competition.sport,
        title,
        kind,
        url: `https://media.example/replays/${id}.mp4`,
        durationSeconds,
        language: 'en',
        rightsHolder: competition.organizerName,
        territories: [],
        expiresAt: null,
      }),
    );
    for (const [number, tag] of tags.entries()) add('replay_tag', { id: tagId(id, number), replayId: id, ...tag });
  }
}

/** The id of a tag: that of the replay with other last digits. */
const tagId = (replayId: string, number: number): string => `${replayId.slice(0, -2)}${String(number).padStart(2, '0')}`;

/** The facts that rankings are computed from. */
function factsOf(edition: DemoEdition, rankingRules: RankingRules, parts: SeasonParts, rows: readonly MatchRows[]): RankingFacts {
  const { competition, season } = edition;
  return {
    season: {
      id: season.id,
      sport: competition.sport,
      discipline: competition.discipline,
      rankingRules,
      endDate: season.endDate,
    },
    ...parts,
    decisions: [],
    matches: rows.map(({ match, entries, result }) => ({
      ...match,
      neutral: match.venue?.neutral ?? false,
      resultStatus: result?.status ?? null,
      duration: result?.duration ?? null,
      entries: entries.map(({ participantId, side, result: part }) => ({ participantId, side, part })),
    })),
  };
}

/** The rows of best marks found so far, over all seasons, by list and athlete. */
export type BestMarkRows = Map<string, BulkRow & { readonly value: number; readonly direction: number }>;

/** Adds the best mark of each athlete in each event, unless an earlier season has a better one. */
function findBestMarks(facts: RankingFacts, { contests }: SeasonParts, { competition }: DemoEdition, found: BestMarkRows): void {
  for (const contest of contests) {
    const list = markListOf({ ...facts.season, category: competition.category }, contest);
    if (!list) continue;
    const { sport, eventCode, category, course, rule } = list;
    const direction = rule.direction === 'LOWER_IS_BETTER' ? 1 : -1;
    for (const mark of bestOfContest(facts, contest.id, list).best.values()) {
      const key = JSON.stringify([mark.athleteId, sport, eventCode, category, course]);
      const before = found.get(key);
      if (!before || (mark.value - before.value) * direction < 0)
        found.set(key, { ...mark, sport, eventCode, category, course, direction });
    }
  }
}

/** Adds all rows of a season, except the row of the season itself and the best marks, which it adds to `bestMarks`. */
export function addEdition(
  edition: DemoEdition,
  rankingRules: RankingRules,
  demo: DemoData,
  { add, bestMarks }: { readonly add: AddRow; readonly bestMarks: BestMarkRows },
): void {
  const parts = seasonParts(edition, demo);
  const rows = matchRows(edition, demo, parts.participants);
  addParts(parts, add);
  for (const [index, row] of rows.entries()) {
    addMatch(row, add);
    addExternalId(add, demo, 'match', row.match.id, `${edition.competition.code}-${edition.season.name}-${index + 1}`);
  }
  addReplays(edition, rows, add);
  const facts = factsOf(edition, rankingRules, parts, rows);
  findBestMarks(facts, parts, edition, bestMarks);
  for (const { rows: places, ...ranking } of rankingsOf(facts))
    add('ranking', { ...ranking, version: 1, rows: JSON.stringify(places) });
}
