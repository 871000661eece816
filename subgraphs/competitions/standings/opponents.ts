/** The opponents that the records within groups and divisions count. */
import type { TableInput } from './table-input.ts';

type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** Name → participants. */
const membersOf = (names: ReadonlyMap<string, string>): Members =>
  new Map([...Map.groupBy(names, ([, name]) => name)].map(([name, entries]) => [name, new Set(entries.map(([id]) => id))]));

const none: ReadonlySet<string> = new Set();

/** Participant → the members of its group, itself included; `fallback` for a participant of none. */
function membersWith(names: ReadonlyMap<string, string>, fallback: ReadonlySet<string>): (id: string) => ReadonlySet<string> {
  const members = membersOf(names);
  return (id) => members.get(names.get(id) ?? '') ?? fallback;
}

/** Participant → the participants of its group and of its division. */
export function opponentsOf({ participants, groups, divisions = new Map() }: TableInput) {
  const all: ReadonlySet<string> = new Set(participants);
  return { inGroup: groups ? membersWith(groups, none) : () => all, inDivision: membersWith(divisions, none) };
}
