/** The national teams of a World Cup. */
import { keyOf } from './key.ts';
import { dissolvedStateOf, nationalTeamOf, stateReason } from './nations.ts';
import type { Draft } from './plan.ts';
import { RejectedFile } from './problem.ts';
import type { Rejection } from './row.ts';

/** National teams with the same external IDs as in the squads import. */
export function teamDrafts(names: readonly string[]): (Draft | Rejection)[] {
  return names.map((label) => {
    const team = nationalTeamOf(label);
    if (team === null) return { place: 'team', label, reasons: ['unknown nation'] };
    const { name, code, country } = team;
    const facts = { name, shortName: code, sport: 'FOOTBALL', discipline: 'ASSOCIATION', category: 'MEN', ageGroup: 'SENIOR' };
    return {
      place: 'team',
      label,
      externalId: { scheme: 'OPENFOOTBALL', value: `world-cup/${keyOf(code)}` },
      members: () => ({ ...facts, country }),
    };
  });
}

/**
 * Checks that every nation has a country: a tournament without some of its teams would have wrong tables.
 * @throws {RejectedFile} for states without a country code.
 */
export function requireCountries(names: readonly string[]): void {
  const states = names.map(dissolvedStateOf).filter((state) => state !== null);
  if (states.length === 0) return;
  throw new RejectedFile(
    `${states.map(stateReason).join('. ')}. Add --successors to store these teams under their own names, with the countries that ` +
      `succeeded them (${[...new Set(states.map(({ successor }) => successor))].join(', ')}).`,
  );
}
