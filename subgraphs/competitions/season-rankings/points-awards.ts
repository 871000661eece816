/** Points won at the finish, at sprints and at climbs of a race, from its result. */
import type { PointsAward } from '../rankings/classifications.ts';
import type { MatchFact } from './facts.ts';

/**
 * `SPRINT` or `CLIMB`, for a climb its category (`CLIMB_HC`, `CLIMB_1` to `CLIMB_4`), then optionally its name: `CLIMB_HC:Tourmalet`.
 * The winner is known for named sprints and climbs only.
 */
const pattern = /^(?<at>SPRINT|CLIMB)(?:_(?<category>HC|[1-4]))?(?::(?<line>.+))?$/;

interface Won {
  readonly award: PointsAward;
  /** Null for a sprint or climb without a name. */
  readonly line: string | null;
}

function wonAt(participantId: string, type: string, points: number): Won | null {
  const parts = pattern.exec(type)?.groups;
  if (!parts) return null;
  const at = parts['at'] === 'CLIMB' ? 'CLIMB' : 'SPRINT';
  const category =
    parts['category'] === undefined ? {} : { category: parts['category'] === 'HC' ? 0 : Number(parts['category']) };
  return { award: { participantId, points, at, ...category }, line: parts['line'] === undefined ? null : type };
}

/** The points of a match: those at the finish (`points`, with the place), and those at sprints and climbs (`bonusPoints`). */
export function awardsOf({ entries }: MatchFact): PointsAward[] {
  const finish: PointsAward[] = [];
  const won: Won[] = [];
  for (const { participantId, part } of entries) {
    if (participantId === null || !part) continue;
    if (part.points !== null) finish.push({ participantId, points: part.points, at: 'STAGE', place: part.rank });
    for (const { type, points } of part.bonusPoints) {
      const at = wonAt(participantId, type, points);
      if (at) won.push(at);
    }
  }
  const most = new Map<string, number>();
  for (const { award, line } of won) if (line !== null) most.set(line, Math.max(most.get(line) ?? 0, award.points));
  const placed = won.map(({ award, line }) =>
    line !== null && award.points > 0 && award.points === most.get(line) ? { ...award, place: 1 } : award,
  );
  return [...finish, ...placed];
}
