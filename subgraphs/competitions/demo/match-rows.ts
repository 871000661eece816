/** Demo data: matches, their entries, actions, results and replays as rows, by the same rules as what is written through the API. */
import type { DemoEdition, DemoEntry, DemoMatch, DemoPart } from '../../../schema/demo-edition.ts';
import type { DemoData } from '../../../schema/demo.ts';
import { athletesOf } from '../match-participants/rules.ts';
import { timesOf } from '../matches/match-time.ts';
import { readResult } from '../results/read-result.ts';
import type { MatchFacts, WholeResult } from '../results/facts.ts';
import type { MatchActionRow, MatchParticipantRow, MatchRow } from '../matches/rows.ts';
import type { ResultRow, ResultVersionRow } from '../results/rows.ts';
import type { ParticipantRow } from '../season-parts/rows.ts';
import { partOfSeason } from './season-rows.ts';

export interface MatchRows {
  readonly match: MatchRow;
  readonly entries: readonly MatchParticipantRow[];
  readonly actions: readonly MatchActionRow[];
  readonly result: ResultRow | null;
  readonly versions: readonly ResultVersionRow[];
}

/** @throws Error for a result that the API would refuse. */
function whole({ result, id }: DemoMatch, parts: readonly (DemoPart | undefined)[], facts: MatchFacts): WholeResult {
  const participants = facts.participantIds.flatMap((participantId, index) => {
    const { mark, countback, splits, periodScores, bonusPoints, ...part } = parts[index] ?? {};
    if (participantId === null || parts[index] === undefined) return [];
    const lists = {
      ...(countback && { countback: [...countback] }),
      ...(splits && { splits: [...splits] }),
      ...(periodScores && { periodScores: [...periodScores] }),
      ...(bonusPoints && { bonusPoints: [...bonusPoints] }),
    };
    return [{ participantId, ...part, ...lists, ...(mark && { mark: { value: mark.value } }) }];
  });
  const { duration, endedBy, scoreText } = result ?? {};
  const given = {
    participants,
    ...(duration && { duration }),
    ...(endedBy && { endedBy }),
    ...(scoreText !== undefined && { scoreText }),
  };
  const read = readResult(given, facts);
  if (read.violations.length > 0)
    throw new Error(`The result of demo match ${id} is refused: ${JSON.stringify(read.violations)}`);
  return read.whole;
}

interface Results {
  readonly result: ResultRow;
  readonly versions: readonly ResultVersionRow[];
  readonly current: WholeResult;
}

const correctedAfterMs = 40 * 3_600_000;

function resultsOf(match: DemoMatch, row: MatchRow, facts: MatchFacts, today: string): Results | null {
  const { result } = match;
  if (!result) return null;
  const current = whole(
    match,
    match.entries.map(({ part }) => part),
    facts,
  );
  const before = result.before && whole(match, result.before, facts);
  const corrected =
    [new Date(Date.parse(result.at) + correctedAfterMs).toISOString(), `${today}T00:00:00.000Z`].toSorted()[0] ?? result.at;
  const versionOf = (
    version: number,
    status: ResultVersionRow['status'],
    at: string,
    { duration, endedBy, parts }: WholeResult,
  ): ResultVersionRow => ({
    resultId: result.id,
    matchId: match.id,
    version,
    at,
    status,
    reason: status === 'CORRECTED' ? (result.reason ?? null) : null,
    duration,
    endedBy,
    participants: parts,
  });
  const versions = before
    ? [versionOf(1, 'OFFICIAL', result.at, before), versionOf(2, 'CORRECTED', corrected, current)]
    : [versionOf(1, result.status, result.at, current)];
  const { accountId, published, seasonId, contestId, stageId, sport, startsAt } = row;
  return {
    current,
    versions,
    result: {
      id: result.id,
      accountId,
      version: versions.length,
      createdAt: result.at,
      updatedAt: before ? corrected : result.at,
      published,
      status: result.status,
      matchId: match.id,
      seasonId,
      contestId,
      stageId,
      sport,
      duration: current.duration,
      endedBy: current.endedBy,
      reason: before ? (result.reason ?? null) : null,
      certifiedAt: result.status === 'PROVISIONAL' ? null : result.at,
      startsAt,
    },
  };
}

function entryRow(
  entry: DemoEntry,
  ordinal: number,
  match: MatchRow,
  participants: ReadonlyMap<string, ParticipantRow>,
  results: Results | null,
): MatchParticipantRow {
  const participant = participants.get(entry.participantId ?? '');
  const lineup = [...(entry.lineup ?? [])];
  return {
    id: entry.id,
    matchId: match.id,
    ordinal,
    participantId: entry.participantId,
    teamId: participant?.teamId ?? null,
    athleteIds: athletesOf(participant, lineup),
    placeholderText: entry.placeholder?.text ?? null,
    sourceMatchId: entry.placeholder?.sourceMatchId ?? null,
    sourceOutcome: entry.placeholder?.outcome ?? null,
    side: entry.side ?? null,
    lane: entry.lane ?? null,
    bib: entry.bib ?? null,
    seed: entry.seed ?? null,
    bye: false,
    lineup,
    result: results?.current.parts.find(({ participantId }) => participantId === entry.participantId) ?? null,
    startsAt: match.startsAt,
    published: match.published,
  };
}

/** The rows of every match of a season, in their order. */
export function matchRows(edition: DemoEdition, demo: DemoData, participants: readonly ParticipantRow[]): MatchRows[] {
  const byId = new Map(participants.map((row) => [row.id, row]));
  const contests = new Map(edition.contests.map((contest) => [contest.id, contest]));
  const stages = new Map(edition.contests.flatMap((contest) => contest.stages.map((stage) => [stage.id, stage] as const)));
  const of = partOfSeason(edition, demo);
  return edition.matches.map((match) => {
    const { id, status, contestId, stageId, date, startTime, timeZone } = match;
    const recordedAt = match.result?.at ?? of.updatedAt;
    const row: MatchRow = {
      ...of,
      id,
      updatedAt: recordedAt,
      status,
      statusReason: match.statusReason ?? null,
      competitionId: edition.competition.id,
      contestId,
      stageId,
      groupName: match.group ?? null,
      round: match.round ?? null,
      matchday: match.matchday ?? null,
      leg: null,
      tieId: null,
      ...timesOf({ date, startTime, timeZone }, edition.season.startDate),
      venue: match.venue ?? null,
      format: match.format ?? null,
      officials: [...(match.officials ?? [])],
      attendance: match.attendance ?? null,
    };
    const facts: MatchFacts = {
      sport: edition.competition.sport,
      eventCode: contests.get(contestId)?.eventCode ?? null,
      stageType: stages.get(stageId)?.type ?? 'LEAGUE',
      bestOf: match.format?.bestOf ?? null,
      inTie: false,
      participantIds: match.entries.map(({ participantId }) => participantId),
    };
    const results = resultsOf(match, row, facts, demo.today);
    const actions = (match.actions ?? []).map(({ scoreAfter, ...action }): MatchActionRow => ({
      ...action,
      accountId: of.accountId,
      version: 1,
      createdAt: recordedAt,
      updatedAt: recordedAt,
      published: true,
      matchId: id,
      addedMinute: null,
      scoreAfter: scoreAfter && [...scoreAfter],
    }));
    return {
      match: row,
      entries: match.entries.map((entry, ordinal) => entryRow(entry, ordinal, row, byId, results)),
      actions,
      result: results?.result ?? null,
      versions: results?.versions ?? [],
    };
  });
}
