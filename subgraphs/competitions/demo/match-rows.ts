/** Rows of demo matches with their entries, actions and results. */
import type { DemoEdition, DemoEntry, DemoMatch } from '../../../schema/demo-edition.ts';
import type { DemoData } from '../../../schema/demo.ts';
import type { MatchActionRow } from '../match-actions/rows.ts';
import { athletesOf } from '../match-participants/values.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import { timesOf } from '../matches/match-time.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { ParticipantRow } from '../participants/rows.ts';
import type { MatchFacts } from '../results/facts.ts';
import type { ResultRow, ResultVersionRow } from '../results/rows.ts';
import { resultRows, type ResultRows } from './result-rows.ts';
import { seasonPartValues } from './season-rows.ts';

export interface MatchRows {
  readonly match: MatchRow;
  readonly entries: readonly MatchParticipantRow[];
  readonly actions: readonly MatchActionRow[];
  readonly result: ResultRow | null;
  readonly versions: readonly ResultVersionRow[];
}

const sourceOf = ({ placeholder }: DemoEntry) => ({
  placeholderText: placeholder?.text ?? null,
  sourceMatchId: placeholder?.sourceMatchId ?? null,
  sourceOutcome: placeholder?.outcome ?? null,
});

function entryRow(
  entry: DemoEntry,
  ordinal: number,
  match: MatchRow,
  participant: ParticipantRow | undefined,
  results: ResultRows | null,
): MatchParticipantRow {
  const lineup = [...(entry.lineup ?? [])];
  return {
    id: entry.id,
    matchId: match.id,
    ordinal,
    participantId: entry.participantId,
    teamId: participant?.teamId ?? null,
    athleteIds: athletesOf(participant, lineup),
    ...sourceOf(entry),
    side: entry.side ?? null,
    lane: entry.lane ?? null,
    bib: entry.bib ?? null,
    seed: entry.seed ?? null,
    bye: false,
    lineup,
    formation: null,
    staff: [],
    result: results?.current.parts.find(({ participantId }) => participantId === entry.participantId) ?? null,
    startsAt: match.startsAt,
    published: match.published,
  };
}

function matchRow(match: DemoMatch, { competition, season }: DemoEdition, recordedAt: string, demo: DemoData): MatchRow {
  const { id, status, contestId, stageId, date, startTime, timeZone } = match;
  return {
    ...seasonPartValues({ season, competition }, demo),
    id,
    updatedAt: recordedAt,
    status,
    statusReason: match.statusReason ?? null,
    competitionId: competition.id,
    contestId,
    stageId,
    groupName: match.group ?? null,
    round: match.round ?? null,
    matchday: match.matchday ?? null,
    leg: null,
    tieId: null,
    parentId: null,
    ...timesOf({ date, startTime, timeZone }, season.startDate),
    venue: match.venue ?? null,
    format: match.format ?? null,
    officials: [...(match.officials ?? [])],
    attendance: match.attendance ?? null,
    titles: [],
    clock: null,
  };
}

const actionRows = ({ actions }: DemoMatch, { id, accountId }: MatchRow, recordedAt: string): MatchActionRow[] =>
  (actions ?? []).map(({ scoreAfter, ...action }) => ({
    ...action,
    accountId,
    version: 1,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    published: true,
    matchId: id,
    clockMs: null,
    addedMinute: null,
    athleteName: null,
    assistName: null,
    scoreAfter: scoreAfter && [...scoreAfter],
  }));

/** The rows of every match of a season, in order. */
export function matchRows(edition: DemoEdition, demo: DemoData, participants: readonly ParticipantRow[]): MatchRows[] {
  const byId = new Map(participants.map((row) => [row.id, row]));
  const contests = new Map(edition.contests.map((contest) => [contest.id, contest]));
  const stages = new Map(edition.contests.flatMap((contest) => contest.stages.map((stage) => [stage.id, stage] as const)));
  const { updatedAt } = seasonPartValues(edition, demo);
  return edition.matches.map((match) => {
    const recordedAt = match.result?.at ?? updatedAt;
    const row = matchRow(match, edition, recordedAt, demo);
    const facts: MatchFacts = {
      sport: edition.competition.sport,
      eventCode: contests.get(match.contestId)?.eventCode ?? null,
      stageType: stages.get(match.stageId)?.type ?? 'LEAGUE',
      bestOf: match.format?.bestOf ?? null,
      inTie: false,
      participantIds: match.entries.map(({ participantId }) => participantId),
    };
    const results = resultRows(match, row, facts, demo.today);
    return {
      match: row,
      entries: match.entries.map((entry, ordinal) => entryRow(entry, ordinal, row, byId.get(entry.participantId ?? ''), results)),
      actions: actionRows(match, row, recordedAt),
      result: results?.result ?? null,
      versions: results?.versions ?? [],
    };
  });
}
