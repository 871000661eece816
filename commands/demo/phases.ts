/** The phases of a championship event: heats, semi-finals and final, their races, and the starters that advance. */
import type { Random } from '../../platform/random.ts';
import type { DemoPart, DemoStage } from '../../schema/demo-edition.ts';
import type { PhaseName, ProgrammeEvent } from './programmes.ts';

export const lanes = 8;

const phaseNames: Readonly<Record<PhaseName, string>> = { HEATS: 'Heats', SEMIFINAL: 'Semi-finals', FINAL: 'Final' };
const raceNames: Readonly<Record<PhaseName, string>> = { HEATS: 'Heat', SEMIFINAL: 'Semi-final', FINAL: 'Final' };

export interface Phase {
  readonly name: PhaseName;
  readonly stageId: string;
  /** Null for the final. */
  readonly toStageId: string | null;
  /** Places in the next phase. */
  readonly places: number;
  /** Whether the first starters of each race advance, before the best marks of all races. */
  readonly byPlace: boolean;
}

/** The races of a phase once its starters are known. */
export interface PhaseFormat {
  readonly races: number;
  /** Starters of each race that advance by their place. */
  readonly byPlace: number;
}

/** The performance of a starter in one race of a phase. */
export interface Run<Starter> {
  readonly starter: Starter;
  /** Index of the race. */
  readonly race: number;
  readonly part: DemoPart;
}

function phaseNamesOf(event: ProgrammeEvent, starters: number): PhaseName[] {
  const attempts = !event.start && event.laps === 1 && event.distanceMeters === undefined;
  if (event.relay || attempts || starters <= lanes) return ['FINAL'];
  return starters <= 2 * lanes ? ['HEATS', 'FINAL'] : ['HEATS', 'SEMIFINAL', 'FINAL'];
}

export function planPhases(random: Random, event: ProgrammeEvent, starters: number): Phase[] {
  const names = phaseNamesOf(event, starters);
  const stageIds = names.map(() => random.uuid());
  return names.map((name, index) => ({
    name,
    stageId: stageIds[index] ?? '',
    toStageId: stageIds[index + 1] ?? null,
    places: names[index + 1] === 'SEMIFINAL' ? 2 * lanes : lanes,
    byPlace: event.sport !== 'SWIMMING' && index + 1 < names.length,
  }));
}

export function formatOf({ name, places, byPlace }: Phase, starters: number): PhaseFormat {
  const races = name === 'FINAL' ? 1 : Math.ceil(starters / lanes);
  return { races, byPlace: byPlace ? Math.max(1, Math.floor(places / races) - 1) : 0 };
}

export function stageOf({ name, stageId, toStageId, places }: Phase, { races, byPlace }: PhaseFormat): DemoStage {
  const stage: DemoStage = { id: stageId, name: phaseNames[name], type: name };
  if (toStageId === null) return stage;
  const best = { by: 'MARK', count: places - byPlace * races, toStageId } as const;
  return { ...stage, advancement: byPlace > 0 ? [{ by: 'PLACE', count: byPlace, toStageId }, best] : [best] };
}

export const raceName = ({ name }: Phase, { races }: PhaseFormat, race: number): string =>
  races > 1 ? `${raceNames[name]} ${race + 1}` : raceNames[name];

/** Distributes starters in a snake order, so that the best do not meet early. */
export function distributeInSnakeOrder<Item>(items: readonly Item[], piles: number): Item[][] {
  const into = Array.from({ length: piles }, (): Item[] => []);
  for (const [index, item] of items.entries()) {
    const turn = Math.floor(index / piles) % 2 === 0 ? index % piles : piles - 1 - (index % piles);
    into[turn]?.push(item);
  }
  return into;
}

/** The starters that advance: on the track the first of each race and then the fastest, in the pool the fastest overall. */
export function qualifiersOf<Starter>(
  runs: readonly Run<Starter>[],
  { places }: Phase,
  { races, byPlace }: PhaseFormat,
): Set<Starter> {
  const fastest = runs
    .filter(({ part }) => part.mark)
    .toSorted((one, other) => (one.part.mark?.value ?? 0) - (other.part.mark?.value ?? 0));
  const first = Array.from({ length: races }, (_, race) => fastest.filter((run) => run.race === race).slice(0, byPlace)).flat();
  const next = fastest.filter((run) => !first.includes(run)).slice(0, Math.max(0, places - first.length));
  return new Set([...first, ...next].map(({ starter }) => starter));
}
