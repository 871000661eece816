/** The phases of a league season by the names of its rounds: the regular matchdays, and the rounds after a split. */
import type { Fixture } from './football-file.ts';

export type Split = 'all' | 'halved-up' | 'halved-down';

export const splits: readonly Split[] = ['all', 'halved-up', 'halved-down'];

const phasePattern = /^(.+?),\s*(?:matchday|round)\s+\d+$/i;
const knockoutPattern = /final|play-?offs?|knock|quarter|semi|round of/i;

/** The phase of a round: `Championship` of `Championship, Matchday 34`; null for a regular round. */
export const phaseOf = ({ round }: Pick<Fixture, 'round'>): string | null => phasePattern.exec(round)?.[1]?.trim() ?? null;

/** `Matchday 34` of `Championship, Matchday 34`. */
export const roundInPhase = (round: string): string => (phasePattern.test(round) ? round.replace(/^.+?,\s*/, '') : round);

/**
 * The phases after the regular rounds, in the order of the file.
 * @throws {Error} for a file with groups or knock-out rounds, and for phases without `split`.
 */
export function readPhases(fixtures: readonly Fixture[], split: Split | null): readonly string[] {
  const groups = new Set(fixtures.flatMap(({ group }) => group ?? []));
  if (groups.size > 0)
    throw new Error(`The file has groups (${[...groups].slice(0, 3).join(', ')} …). Use the command worldcup.`);
  const knockouts = new Set(
    fixtures.filter((each) => phaseOf(each) === null && knockoutPattern.test(each.round)).map(({ round }) => round),
  );
  if (knockouts.size > 0)
    throw new Error(
      `The file has knock-out rounds (${[...knockouts].join(', ')}). A league season has matchdays only. Remove them, or import them as another file.`,
    );
  const phases = [...new Set(fixtures.flatMap((each) => phaseOf(each) ?? []))];
  if (phases.length > 0 && split === null)
    throw new Error(
      `The season is split: it has the phases ${phases.join(', ')}. Say which results of the regular rounds count in them: --split ${splits.join(', --split ')}.`,
    );
  return phases;
}

const carriedResults: Readonly<Record<Split, object>> = {
  all: { matches: 'ALL', points: 'FULL' },
  'halved-up': { matches: 'NONE', points: 'HALVED_ROUNDED_UP' },
  'halved-down': { matches: 'ALL', points: 'HALVED_ROUNDED_DOWN' },
};

/** The stage of the phases: one group each, with the results that count from the regular rounds. */
export const splitStage = (phases: readonly string[], split: Split, fromStageId: string): object => ({
  name: 'Split',
  type: 'GROUP',
  order: 1,
  groups: [...phases],
  carryOver: { fromStageId, ...carriedResults[split] },
  continuousPositions: phases.length > 1,
});
