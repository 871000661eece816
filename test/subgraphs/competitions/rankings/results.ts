/** Short notation for results. */
import type { MarkEntry } from '../../../../subgraphs/competitions/rankings/by-mark.ts';
import type { StageTime, StageTimes } from '../../../../subgraphs/competitions/rankings/accumulated-time.ts';
import type { InvalidResultMark } from '../../../../subgraphs/competitions/rankings/mark.ts';

export const lower = { direction: 'LOWER_IS_BETTER' } as const;

/** `A` 52000 in heat 1: `swim('A', 52000)`; a text is an invalid mark. */
export const swim = (participantId: string, mark: number | InvalidResultMark, rest: Partial<MarkEntry> = {}): MarkEntry => ({
  participantId,
  matchId: 'heat-1',
  ...(typeof mark === 'number' ? { mark } : { mark: null, invalidResultMark: mark }),
  ...rest,
});

type Ridden = number | Omit<StageTime, 'participantId'>;

/** Riders with times in ms or complete results: `stage(1, { A: 1_000 })`. */
export const stage = (
  order: number,
  ridden: Readonly<Record<string, Ridden>>,
  kind: StageTimes['kind'] = 'ROAD',
): StageTimes => ({
  stageId: `stage-${order}`,
  order,
  kind,
  results: Object.entries(ridden).map(([participantId, result]) => ({
    participantId,
    ...(typeof result === 'number' ? { timeMs: result } : result),
  })),
});
