/** The team classification of a stage race: the three best times of each team on each stage (UCI Cycling Regulations 2.6). */
import { finished, sum, type GeneralClassification, type StageTime, type StageTimes } from './accumulated-time.ts';
import { ascending, groupsOf, place, type Compare, type Separator } from './placing.ts';

const counting = 3;

export type TeamCriterion = 'DAILY_PLACES' | 'BEST_RIDER';

export interface TeamRow {
  readonly rank: number;
  readonly teamId: string;
  readonly timeMs: number;
  readonly gapMs: number;
  readonly shared: boolean;
  readonly separatedBy: TeamCriterion | null;
}

export interface TeamClassification {
  readonly rows: readonly TeamRow[];
  /** Teams that had fewer than three finishers on a stage, and the stage. */
  readonly out: readonly { readonly teamId: string; readonly stageId: string }[];
}

interface Day {
  readonly teamId: string;
  readonly timeMs: number;
  readonly places: readonly number[];
}

interface Team {
  readonly teamId: string;
  readonly timeMs: number;
  /** Places of each day, from 1. */
  readonly dailyPlaces: readonly number[];
  readonly bestRider: number;
}

/**
 * Sums the three best times of each team and stage, without bonuses and penalties and without vacated riders. Ties: most first places of a day,
 * then most second places, and so on; then the best rider in the general classification. A team with fewer than three finishers is out.
 */
export function teamClassification(
  stages: readonly StageTimes[],
  teamOf: ReadonlyMap<string, string>,
  general: GeneralClassification,
): TeamClassification {
  const vacated = new Set(general.rows.filter((row) => row.vacated).map(({ participantId }) => participantId));
  // The array is filled with the places of each day below.
  const open = new Map([...new Set(teamOf.values())].map((teamId): [string, number[]] => [teamId, []]));
  const timesMs = new Map<string, number>();
  const out: { teamId: string; stageId: string }[] = [];
  for (const { stageId, results } of stages.toSorted((one, other) => one.order - other.order)) {
    const byTeam = Map.groupBy(
      results.filter((result) => finished(result) && !vacated.has(result.participantId)),
      ({ participantId }) => teamOf.get(participantId),
    );
    const days: Day[] = [];
    for (const teamId of [...open.keys()]) {
      const day = dayOf(teamId, byTeam.get(teamId) ?? []);
      if (day) days.push(day);
      else if (open.delete(teamId)) out.push({ teamId, stageId });
    }
    for (const { item, rank } of place(days, { by: betterDay, idOf: ({ teamId }) => teamId })) {
      open.get(item.teamId)?.push(rank);
      timesMs.set(item.teamId, (timesMs.get(item.teamId) ?? 0) + item.timeMs);
    }
  }
  const bestRiders = bestRidersOf(teamOf, general);
  const teams = [...open].map(([teamId, dailyPlaces]) => ({
    teamId,
    timeMs: timesMs.get(teamId) ?? 0,
    dailyPlaces,
    bestRider: bestRiders.get(teamId) ?? Number.MAX_SAFE_INTEGER,
  }));
  const placed = place<Team, TeamCriterion>(teams, {
    by: (one, other) => one.timeMs - other.timeMs,
    separators,
    idOf: ({ teamId }) => teamId,
  });
  const bestMs = placed[0]?.item.timeMs ?? 0;
  return {
    rows: placed.map(({ item: { teamId, timeMs }, ...standing }) => ({ teamId, timeMs, gapMs: timeMs - bestMs, ...standing })),
    out: out.toSorted((one, other) => ascending(one.teamId, other.teamId)),
  };
}

function dayOf(teamId: string, results: readonly StageTime[]): Day | null {
  const best = results.toSorted((one, other) => timeOf(one) - timeOf(other) || placeOf(one) - placeOf(other)).slice(0, counting);
  if (best.length < counting) return null;
  return { teamId, timeMs: sum(best, timeOf), places: best.map(placeOf) };
}

const timeOf = ({ timeMs }: StageTime): number => timeMs ?? 0;

/** A finisher without a place ranks behind all finishers with one. */
const noPlace = 1_000_000;
const placeOf = ({ place: given }: StageTime): number => given ?? noPlace;

/** Time, then the sum of the three places, then the best place. */
const betterDay: Compare<Day> = (one, other) =>
  one.timeMs - other.timeMs ||
  sum(one.places, (each) => each) - sum(other.places, (each) => each) ||
  Math.min(...one.places) - Math.min(...other.places);

function bestRidersOf(teamOf: ReadonlyMap<string, string>, general: GeneralClassification): Map<string, number> {
  const best = new Map<string, number>();
  for (const { participantId, rank, vacated } of general.rows) {
    const teamId = teamOf.get(participantId);
    if (teamId !== undefined && !vacated && !best.has(teamId)) best.set(teamId, rank);
  }
  return best;
}

const separators: readonly Separator<Team, TeamCriterion>[] = [
  {
    criterion: 'DAILY_PLACES',
    among: (level) => {
      const places = groupsOf(
        level.flatMap(({ dailyPlaces }) => dailyPlaces),
        (one, other) => one - other,
      ).map(([value]) => value);
      const times = ({ dailyPlaces }: Team, value: number | undefined): number =>
        dailyPlaces.filter((each) => each === value).length;
      return (one, other) =>
        places.map((value) => times(other, value) - times(one, value)).find((difference) => difference !== 0) ?? 0;
    },
  },
  { criterion: 'BEST_RIDER', among: () => (one, other) => one.bestRider - other.bestRider },
];
