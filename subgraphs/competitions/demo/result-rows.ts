/** Rows of the results of demo matches, read by the same rules as results of the API. */
import type { DemoMatch, DemoPart } from '../../../schema/demo-edition.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { CompleteResult, MatchFacts } from '../results/facts.ts';
import { readResult } from '../results/read-result.ts';
import type { ResultRow, ResultVersionRow } from '../results/rows.ts';
import { sideStatistics } from './side-statistics.ts';

export interface ResultRows {
  readonly result: ResultRow;
  readonly versions: readonly ResultVersionRow[];
  readonly current: CompleteResult;
}

/** @throws Error for a result that the API would reject. */
function completeResult(match: DemoMatch, parts: readonly (DemoPart | undefined)[], facts: MatchFacts): CompleteResult {
  const { result, id } = match;
  const statistics = sideStatistics(match, facts.sport, parts);
  const participants = facts.participantIds.flatMap((participantId, index) => {
    const { mark, countback, splits, periodScores, bonusPoints, ...part } = parts[index] ?? {};
    if (participantId === null || parts[index] === undefined) return [];
    const lists = {
      ...(countback && { countback: [...countback] }),
      ...(splits && { splits: [...splits] }),
      ...(periodScores && { periodScores: [...periodScores] }),
      ...(bonusPoints && { bonusPoints: [...bonusPoints] }),
      ...(statistics[index] && { statistics: [...statistics[index]] }),
    };
    return [{ participantId, ...part, ...lists, ...(mark && { mark: { value: mark.value } }) }];
  });
  const { duration, endedBy, scoreText } = result ?? {};
  const read = readResult({ participants, duration, endedBy, scoreText }, facts);
  if (read.violations.length > 0)
    throw new Error(`the result of demo match ${id} is invalid: ${JSON.stringify(read.violations)}`);
  return read.result;
}

const correctedAfterMs = 40 * 3_600_000;

/** The rows of a match's result; null for a match without one. */
export function resultRows(match: DemoMatch, row: MatchRow, facts: MatchFacts, today: string): ResultRows | null {
  const { result } = match;
  if (!result) return null;
  const parts = match.entries.map(({ part }) => part);
  const current = completeResult(match, parts, facts);
  const before = result.before && completeResult(match, result.before, facts);
  const corrected =
    [new Date(Date.parse(result.at) + correctedAfterMs).toISOString(), `${today}T00:00:00.000Z`].toSorted()[0] ?? result.at;
  const reason = before ? (result.reason ?? null) : null;
  const versionOf = (
    version: number,
    status: ResultVersionRow['status'],
    at: string,
    content: CompleteResult,
  ): ResultVersionRow => ({
    resultId: result.id,
    matchId: match.id,
    version,
    at,
    status,
    reason: status === 'CORRECTED' ? (result.reason ?? null) : null,
    duration: content.duration,
    endedBy: content.endedBy,
    participants: content.parts,
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
      reason,
      certifiedAt: result.status === 'PROVISIONAL' ? null : result.at,
      startsAt,
    },
  };
}
