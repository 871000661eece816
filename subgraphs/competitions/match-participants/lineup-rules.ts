/** Validation of a line-up and its formation. */
import type { Violation } from '../../../schema/errors.ts';
import { startersMax, type Sport } from '../../../schema/sports.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { LineupEntryInput } from '../generated/resolvers.ts';

type Violations = (Violation | null | false)[];

/** Players of a formation: those on the pitch without the goalkeeper. */
const formationPlayers: Readonly<Partial<Record<Sport, number>>> = { FOOTBALL: 10, HANDBALL: 6 };

/** The violation for a formation of more players than a team has on the pitch. */
export function formationViolation(pointer: string, sport: Sport, formation: string | null | undefined): Violation | null {
  const max = formationPlayers[sport];
  if (!formation || max === undefined) return null;
  const players = formation.split('-').reduce((sum, line) => sum + Number(line), 0);
  if (players <= max) return null;
  const detail = `A formation of ${sport} has at most ${max} players, without the goalkeeper. This one has ${players}.`;
  return { pointer, code: 'maximum', detail };
}

/** The violation for the line-up of an entry without a participant. */
export const noParticipantViolation = (pointer: string): Violation => ({
  pointer,
  code: 'no_participant',
  detail: 'The entry has no participant yet, so it cannot have a line-up.',
});

/** The violation for the line-up of a single athlete. */
export const notATeamViolation = (pointer: string): Violation => ({
  pointer,
  code: 'not_a_team',
  detail: 'Only teams, pairs and relays have a line-up. This participant is an athlete.',
});

/** Violations of a second captain, and of more starters than the sport has. A player without `starter` is not counted: many sources leave it out. */
function sheetLimits(lineup: readonly LineupEntryInput[], pointer: string, sport: Sport): Violations {
  const placesOf = (member: 'captain' | 'starter') => lineup.flatMap((player, index) => (player[member] === true ? [index] : []));
  const [, second] = placesOf('captain');
  const starters = placesOf('starter');
  const max = startersMax[sport] ?? Infinity;
  const excess = starters[max];
  const detail = `A side of ${sport} starts with at most ${max} players. This one has ${starters.length}. Set \`starter\` to false for the substitutes.`;
  return [
    second !== undefined && {
      pointer: `${pointer}/${second}/captain`,
      code: 'duplicate',
      detail: 'Another player of this line-up is the captain. A side has one captain.',
    },
    excess !== undefined && { pointer: `${pointer}/${excess}/starter`, code: 'maximum', detail },
  ];
}

/** Validates the players of a line-up. Duplicates across line-ups are checked by combinedViolations. */
export function lineupViolations(
  lineup: readonly LineupEntryInput[],
  pointer: string,
  { sport }: { readonly sport: Sport },
  { athletes }: { readonly athletes: ReadonlySet<string> },
): Violations {
  const numbers = lineup.map(({ shirtNumber }) => shirtNumber ?? null);
  return [
    ...sheetLimits(lineup, pointer, sport),
    ...lineup.flatMap(({ athleteId, name, position, shirtNumber }, index) => [
      typeof shirtNumber === 'number' &&
        numbers.indexOf(shirtNumber) < index && {
          pointer: `${pointer}/${index}/shirtNumber`,
          code: 'duplicate',
          detail: `Another player of this line-up has the shirt number ${shirtNumber}.`,
        },
      !athleteId === !name && {
        pointer: `${pointer}/${index}/athleteId`,
        code: 'one_of',
        detail: 'Set either `athleteId`, or the `name` of a player without a profile.',
      },
      !!athleteId && !athletes.has(athleteId) && unknownAthleteViolation(`${pointer}/${index}/athleteId`),
      registryViolation(`${pointer}/${index}/position`, sport, 'position', position),
    ]),
  ];
}
