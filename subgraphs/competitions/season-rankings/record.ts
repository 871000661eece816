/** A ranking as it is stored: its id and its place among those of its contest follow from what it is of. */
import { createHash } from 'node:crypto';
import { ascending } from '../rankings/placing.ts';
import { invalidResultMarks } from '../rankings/mark.ts';
import type { Classification, RankingMethod, RankingType } from '../resolvers.generated.ts';
import type { RankedPlace, RankingRecord, RankingScope } from './rows.ts';
import type { StageFact } from './facts.ts';

interface Ranked {
  readonly of: RankingScope;
  /** The stage, where it is of one. */
  readonly stage?: StageFact;
  readonly method: RankingMethod;
  readonly type?: RankingType;
  readonly classification?: Classification;
  readonly rows: readonly RankedPlace[];
}

const types: readonly RankingType[] = ['TOTAL', 'HOME', 'AWAY'];
const classifications: readonly Classification[] = ['GC', 'POINTS', 'MOUNTAINS', 'YOUTH', 'TEAM'];

/** Groups a stage does not name stand behind those it does. */
const groupsMax = 64;

/** Rankings of a whole contest come first, then stages in their order, in a stage its groups, of each the table, at home and away. */
function ordinalOf({ of, stage, type = 'TOTAL', classification }: Ranked): number {
  if (!stage) return classification ? classifications.indexOf(classification) : 0;
  const group = of.groupName === null ? 0 : 1 + ((stage.groups.indexOf(of.groupName) + groupsMax + 1) % (groupsMax + 1));
  return (stage.ordinal + 1) * 256 + group * types.length + types.indexOf(type);
}

/** A UUID (RFC 9562, version 8) made from what the ranking is of: a ranking that comes back is the same one. */
function idOf(parts: readonly unknown[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What rows are listed by: place, those without one in the order of a result sheet, then the participant. */
export const placeKey = ({ position, invalidResultMark, participantId }: RankedPlace): [number, number, string] => [
  position ?? 1_000_000_000,
  position === null && invalidResultMark ? invalidResultMarks.indexOf(invalidResultMark) : invalidResultMarks.length,
  participantId,
];

export function comparePlaces(one: RankedPlace, other: RankedPlace): number {
  const [a, b] = [placeKey(one), placeKey(other)];
  return ascending(a[0], b[0]) || ascending(a[1], b[1]) || ascending(a[2], b[2]);
}

/** The records of a ranking: none where nobody stands in it. */
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
