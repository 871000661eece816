/** The general classification of a stage race by accumulated time (UCI Cycling Regulations 2.6). */
import type { InvalidResultMark } from './mark.ts';
import { ascending, place, type Placed, type Separator } from './placing.ts';

export interface StageTime {
  readonly participantId: string;
  /** The time that counts, without bonus and penalty. Null without a time. */
  readonly timeMs: number | null;
  /** The fraction that truncation to whole seconds removed in an individual time trial (0 to 999). It decides ties only. */
  readonly fractionMs?: number;
  /** Deducted from the time. */
  readonly bonusMs?: number;
  /** Added to the time. */
  readonly penaltyMs?: number;
  readonly place?: number | null;
  readonly invalidResultMark?: InvalidResultMark | null;
}

export interface StageTimes {
  readonly stageId: string;
  /** Chronological order. The classification is the one after the last stage. */
  readonly order: number;
  readonly kind: 'ROAD' | 'INDIVIDUAL_TIME_TRIAL' | 'TEAM_TIME_TRIAL';
  readonly results: readonly StageTime[];
}

export interface TimeAdjustment {
  readonly participantId: string;
  /** Positive adds time, negative deducts it. */
  readonly timeMs: number;
}

export type TimeCriterion = 'TIME_TRIAL_FRACTIONS' | 'STAGE_PLACINGS' | 'LAST_STAGE';

export interface TimeRow {
  readonly rank: number;
  readonly participantId: string;
  /** The place was taken away later. It is returned without its holder, stays vacant, and the riders behind it keep their ranks. */
  readonly vacated: boolean;
  readonly timeMs: number;
  /** Time behind the first place, even if that place is vacated (as the results of 2000 to 2005 are published). */
  readonly gapMs: number;
  readonly bonusMs: number;
  /** Including adjustments. */
  readonly penaltyMs: number;
  readonly shared: boolean;
  readonly separatedBy: TimeCriterion | null;
}

/** A rider who left the race, and the stage. */
export interface Withdrawal {
  readonly participantId: string;
  readonly stageId: string;
  /** Null where the stage has no result for the rider. */
  readonly invalidResultMark: InvalidResultMark | null;
}

export interface GeneralClassification {
  readonly rows: readonly TimeRow[];
  readonly out: readonly Withdrawal[];
}

interface Totals {
  readonly participantId: string;
  readonly timeMs: number;
  readonly bonusMs: number;
  readonly penaltyMs: number;
  readonly fractionMs: number;
  /** Null where a counted stage has no place for the rider. */
  readonly placings: number | null;
  readonly lastPlace: number | null;
}

/**
 * Adds up all stages. Ties are decided by fractions of the individual time trials, then the sum of placings outside team time trials, then the place
 * on the last stage; the last two only where every tied rider has them. A rider without a time on a stage leaves the classification. For a single
 * stage, the recorded places are the ranks.
 */
export function generalClassification(
  stages: readonly StageTimes[],
  {
    adjustments = [],
    vacated = [],
  }: { readonly adjustments?: readonly TimeAdjustment[]; readonly vacated?: readonly string[] } = {},
): GeneralClassification {
  const inOrder = stages.toSorted((one, other) => one.order - other.order || ascending(one.stageId, other.stageId));
  const riders = new Map<string, StageTime[]>();
  const out: Withdrawal[] = [];
  for (const id of new Set(inOrder.flatMap(({ results }) => results.map(({ participantId }) => participantId))))
    riders.set(id, []);
  for (const { stageId, results } of inOrder) {
    const byRider = new Map(results.map((result) => [result.participantId, result]));
    for (const [participantId, ridden] of riders) {
      const result = byRider.get(participantId);
      if (result && finished(result)) {
        ridden.push(result);
        continue;
      }
      riders.delete(participantId);
      out.push({ participantId, stageId, invalidResultMark: result?.invalidResultMark ?? null });
    }
  }
  const added = Map.groupBy(adjustments, ({ participantId }) => participantId);
  const totals = [...riders].map(([participantId, ridden]) =>
    totalsOf(
      participantId,
      ridden,
      inOrder,
      sum(added.get(participantId) ?? [], ({ timeMs }) => timeMs),
    ),
  );
  const placed = place<Totals, TimeCriterion>(totals, {
    by: (one, other) => one.timeMs - other.timeMs,
    separators,
    idOf: ({ participantId }) => participantId,
  });
  const bestMs = placed[0]?.item.timeMs ?? 0;
  const vacatedIds = new Set(vacated);
  const [only] = inOrder.length === 1 && adjustments.length === 0 ? inOrder : [];
  return {
    rows: asPublished(placed, only).map(({ item: { participantId, timeMs, bonusMs, penaltyMs }, ...standing }) => ({
      participantId,
      timeMs,
      bonusMs,
      penaltyMs,
      ...standing,
      gapMs: timeMs - bestMs,
      vacated: vacatedIds.has(participantId),
    })),
    out: out.toSorted((one, other) => ascending(one.participantId, other.participantId)),
  };
}

/**
 * Uses the recorded places of a single race: they may have vacated places missing, and may order riders by fractions of a second that the times
 * do not have. Places that contradict the times are ignored.
 */
function asPublished(
  placed: readonly Placed<Totals, TimeCriterion>[],
  only: StageTimes | undefined,
): readonly Placed<Totals, TimeCriterion>[] {
  const places = placed.map(({ item }) => (item.bonusMs === 0 && item.penaltyMs === 0 ? item.lastPlace : null));
  const agree = places.every((each, index) => each !== null && each >= (places[index - 1] ?? 1));
  if (!only || only.kind === 'TEAM_TIME_TRIAL' || !agree) return placed;
  return placed.map((standing, index) => {
    const rank = places[index] ?? standing.rank;
    return { ...standing, rank, shared: places.indexOf(rank) !== places.lastIndexOf(rank) };
  });
}

/** Whether the rider finished the stage with a time. */
export const finished = ({ timeMs, invalidResultMark }: StageTime): boolean => timeMs !== null && !invalidResultMark;

export const sum = <T>(items: readonly T[], valueOf: (item: T) => number): number =>
  items.reduce((total, item) => total + valueOf(item), 0);

function totalsOf(
  participantId: string,
  ridden: readonly StageTime[],
  stages: readonly StageTimes[],
  adjustedMs: number,
): Totals {
  const bonusMs = sum(ridden, (result) => result.bonusMs ?? 0);
  const penaltyMs = sum(ridden, (result) => result.penaltyMs ?? 0) + adjustedMs;
  const places = ridden.filter((_, index) => stages[index]?.kind !== 'TEAM_TIME_TRIAL').map((result) => result.place ?? null);
  return {
    participantId,
    timeMs: sum(ridden, (result) => result.timeMs ?? 0) - bonusMs + penaltyMs,
    bonusMs,
    penaltyMs,
    fractionMs: sum(ridden, (result) => result.fractionMs ?? 0),
    placings: places.includes(null) ? null : sum(places, (each) => each ?? 0),
    lastPlace: ridden.at(-1)?.place ?? null,
  };
}

/** A separator that applies only where every tied rider has the value. */
const known = <Criterion extends string>(
  criterion: Criterion,
  valueOf: (totals: Totals) => number | null,
): Separator<Totals, Criterion> => ({
  criterion,
  among: (level) =>
    level.every((each) => valueOf(each) !== null) ? (one, other) => (valueOf(one) ?? 0) - (valueOf(other) ?? 0) : null,
});

const separators = [
  known('TIME_TRIAL_FRACTIONS', ({ fractionMs }) => fractionMs),
  known('STAGE_PLACINGS', ({ placings }) => placings),
  known('LAST_STAGE', ({ lastPlace }) => lastPlace),
];
