/** The phases of a league season by the names of its rounds: the regular matchdays, and the rounds after a split. */
import type { Fixture } from './football-file.ts';
import { RejectedFile } from './problem.ts';
import { isRegularRound, phaseOfRound } from './rounds.ts';

export type Split = 'all' | 'halved-up' | 'halved-down';

export const splits: readonly Split[] = ['all', 'halved-up', 'halved-down'];

const knockoutPattern = /final|play-?offs?|knock|quarter|semi|round of/i;

/** The phase of a match; null in the regular season. */
export const phaseOf = ({ round }: Pick<Fixture, 'round'>): string | null => phaseOfRound(round);

/**
 * Rejects rounds that are neither regular rounds nor rounds of a named phase.
 * @throws {RejectedFile} with the rounds and how to rename them.
 */
function requireKnownRounds(fixtures: readonly Fixture[]): void {
  const unknown = new Set(
    fixtures.filter((each) => phaseOf(each) === null && !isRegularRound(each.round)).map(({ round }) => round),
  );
  if (unknown.size === 0) return;
  const names = [...unknown];
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  throw new RejectedFile(
    `These rounds cannot be placed: ${names.slice(0, 10).join(', ')}${more}. Rename rounds of the regular season to "Matchday 1". ` +
      `Rename rounds after a split to "PHASE, Matchday 34", such as "Championship, Matchday 34", and add --split ${splits.join(', --split ')}.`,
  );
}

/**
 * The phases after the regular rounds, in the order of the file.
 * @throws {Error} for a file with groups or knock-out rounds, and for phases without `split`.
 * @throws {RejectedFile} for rounds with unknown names.
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
  requireKnownRounds(fixtures);
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
