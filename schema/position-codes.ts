/** Position codes of the sports: their groups, and the codes that a filter matches. */
import type { PositionGroups } from './positions.ts';
import { sportNames, sports, type Sport } from './sports.ts';

const groupsOf = (sport: Sport): PositionGroups => sports[sport].positionGroups;

/** The group code of a position; a group code returns itself. Undefined for an unknown code. */
export function positionGroup(sport: Sport, code: string): string | undefined {
  const groups = groupsOf(sport);
  if (Object.hasOwn(groups, code)) return code;
  return Object.keys(groups).find((group) => Object.hasOwn(groups[group]?.positions ?? {}, code));
}

/** The title of a position or position group, such as `Left back`. An unknown code is its own title. */
export function positionTitle(sport: Sport, code: string): string {
  const groups = groupsOf(sport);
  const exact = Object.values(groups).flatMap(({ positions }) => (Object.hasOwn(positions, code) ? (positions[code] ?? []) : []));
  return (Object.hasOwn(groups, code) ? groups[code]?.title : undefined) ?? exact[0] ?? code;
}

/** The players of a position group, such as `Forwards`. An unknown code is its own title. */
export function positionPlural(sport: Sport, group: string): string {
  const row = Object.hasOwn(groupsOf(sport), group) ? groupsOf(sport)[group] : undefined;
  return row?.plural ?? `${row?.title ?? group}s`;
}

/** Every position code of a sport, including group codes, with its group. */
export function positionGroupsOf(sport: Sport): { readonly code: string; readonly group: string }[] {
  return Object.entries(groupsOf(sport)).flatMap(([group, { positions }]) =>
    [...new Set([group, ...Object.keys(positions)])].map((code) => ({ code, group })),
  );
}

/**
 * The codes a position filter matches, without duplicates. A group code matches itself and its members, an exact code only itself:
 * `CB` does not match an athlete whose position is `DF`.
 * Without a sport, a code matches in every sport that has it. Unknown codes stay in the list, so that they match nothing.
 */
export function expandPositions(sport: Sport | null, codes: readonly string[]): string[] {
  const expanded = new Set(codes);
  for (const name of sport ? [sport] : sportNames) {
    for (const code of codes) {
      const groups = groupsOf(name);
      if (Object.hasOwn(groups, code)) Object.keys(groups[code]?.positions ?? {}).forEach((position) => expanded.add(position));
    }
  }
  return [...expanded];
}
