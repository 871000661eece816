/** The record of a ranking for storage. Its id and its ordinal follow from its scope. */
import { createHash } from 'node:crypto';
import { ascending } from '../rankings/placing.ts';
import { invalidResultMarks } from '../rankings/mark.ts';
import type { Classification, RankingMethod, RankingType } from '../generated/resolvers.ts';
import type { StageFact } from './facts.ts';
import type { RankedPlace, RankingRecord, RankingScope } from './rows.ts';

interface Ranked {
  readonly of: RankingScope;
  /** The stage of a ranking of a stage. */
  readonly stage?: StageFact;
  readonly method: RankingMethod;
  readonly type?: RankingType;
  readonly classification?: Classification;
  readonly rows: readonly RankedPlace[];
}

/** After all tables of the groups. */
const overallPlace = 255;

const types: readonly RankingType[] = ['TOTAL', 'HOME', 'AWAY'];
const classifications: readonly Classification[] = ['GC', 'POINTS', 'MOUNTAINS', 'YOUTH', 'TEAM'];

/** Groups that the stage does not list sort after those that it lists. */
const groupsMax = 64;

/** Rankings of a whole contest come first, then stages in order; within a stage its groups, each with its total, home and away table. */
function ordinalOf({ of, stage, type = 'TOTAL', classification }: Ranked): number {
  if (!stage) return classification ? classifications.indexOf(classification) : 0;
  const group = of.groupName === null ? 0 : 1 + ((stage.groups.indexOf(of.groupName) + groupsMax + 1) % (groupsMax + 1));
  if (type === 'OVERALL') return (stage.ordinal + 1) * 256 + overallPlace;
  return (stage.ordinal + 1) * 256 + group * types.length + types.indexOf(type);
}

/** A UUID (RFC 9562, version 8) derived from the scope, so that a recomputed ranking keeps its ID. */
function idOf(parts: readonly unknown[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The sort key of a row: position, for rows without one the order of invalid marks on a result sheet, then the participant. */
export const placeKey = ({ position, invalidResultMark, participantId }: RankedPlace): [number, number, string] => [
  position ?? 1_000_000_000,
  position === null && invalidResultMark ? invalidResultMarks.indexOf(invalidResultMark) : invalidResultMarks.length,
  participantId,
];

export function comparePlaces(one: RankedPlace, other: RankedPlace): number {
  const [a, b] = [placeKey(one), placeKey(other)];
  return ascending(a[0], b[0]) || ascending(a[1], b[1]) || ascending(a[2], b[2]);
}

/** The record of a ranking; empty without rows. */
export function recordOf(ranked: Ranked): RankingRecord[] {
  const { of, method, type = 'TOTAL', classification = null, rows } = ranked;
  if (rows.length === 0) return [];
  const { seasonId, contestId, stageId, groupName } = of;
  return [
    {
      id: idOf([seasonId, contestId, stageId, groupName, type, classification]),
      seasonId,
      contestId,
      stageId,
      groupName,
      type,
      classification,
      method,
      ordinal: ordinalOf(ranked),
      rows: rows.toSorted(comparePlaces),
    },
  ];
}
