/** Validation of the entries of a match: participants, placeholders, sides and line-ups. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { MatchParticipantInput } from '../generated/resolvers.ts';
import { formationViolation, lineupViolations, noParticipantViolation, notATeamViolation } from './lineup-rules.ts';
import type { EntryValues, SeasonParticipant } from './values.ts';

/** The match that entries belong to. */
export interface EntryContext {
  readonly sport: Sport;
  readonly seasonId: string;
  readonly contestId: string;
  /** Null for a new match. */
  readonly matchId: string | null;
}

/** What the entries of a match refer to, read once for all of them. */
export interface EntryFacts {
  readonly participants: ReadonlyMap<string, SeasonParticipant>;
  /** Athletes that the caller can refer to. */
  readonly athletes: ReadonlySet<string>;
  /** Source matches of placeholders by id: their season, and their own sources. */
  readonly sources: ReadonlyMap<string, { readonly seasonId: string; readonly waitsFor: readonly string[] }>;
}

type Violations = (Violation | null | false)[];

function kindViolations({ participantId, placeholder, bye }: MatchParticipantInput, pointer: string): Violations {
  const isEmpty = !participantId && !placeholder && !bye;
  const detail = isEmpty
    ? 'Set `participantId`, `placeholder` or `bye: true`.'
    : '`bye` cannot be combined with `participantId` or `placeholder`.';
  return [(isEmpty || (!!bye && (!!participantId || !!placeholder))) && { pointer, code: 'one_of', detail }];
}

function participantViolations(
  id: string | null | undefined,
  pointer: string,
  context: EntryContext,
  facts: EntryFacts,
): Violations {
  if (!id) return [];
  const row = facts.participants.get(id);
  if (row?.seasonId !== context.seasonId)
    return [{ pointer, code: 'unknown_participant', detail: 'The season of the match has no participant with this ID.' }];
  const isOther = row.contestId !== null && row.contestId !== context.contestId;
  return [isOther && { pointer, code: 'other_contest', detail: 'This is a participant of another contest of the season.' }];
}

/** Whether a match waits, directly or over other matches, for the target. */
function waitsFor(id: string, target: string, sources: EntryFacts['sources'], visited = new Set<string>()): boolean {
  if (id === target) return true;
  if (visited.has(id)) return false;
  visited.add(id);
  return (sources.get(id)?.waitsFor ?? []).some((next) => waitsFor(next, target, sources, visited));
}

function placeholderViolations(
  input: MatchParticipantInput,
  pointer: string,
  context: EntryContext,
  facts: EntryFacts,
): Violations {
  const { text, sourceMatchId, outcome } = input.placeholder ?? {};
  if (!input.placeholder) return [];
  const source = sourceMatchId ? facts.sources.get(sourceMatchId) : undefined;
  return [
    !text && !sourceMatchId && { pointer, code: 'one_of', detail: 'Set `text`, or `sourceMatchId` and `outcome`.' },
    !!sourceMatchId !== !!outcome && {
      pointer: `${pointer}/${sourceMatchId ? 'outcome' : 'sourceMatchId'}`,
      code: 'required',
      detail: '`sourceMatchId` and `outcome` must be set together.',
    },
    !!sourceMatchId &&
      source?.seasonId !== context.seasonId && {
        pointer: `${pointer}/sourceMatchId`,
        code: 'unknown_match',
        detail: 'The season has no match with this ID.',
      },
    !!sourceMatchId &&
      context.matchId !== null &&
      waitsFor(sourceMatchId, context.matchId, facts.sources) && {
        pointer: `${pointer}/sourceMatchId`,
        code: 'circular',
        detail: 'The source match waits for this match. Remove the cycle.',
      },
  ];
}

/** Validates one entry. */
export function entryViolations(
  input: MatchParticipantInput,
  pointer: string,
  context: EntryContext,
  facts: EntryFacts,
): Violations {
  return [
    ...kindViolations(input, pointer),
    ...participantViolations(input.participantId, `${pointer}/participantId`, context, facts),
    ...placeholderViolations(input, `${pointer}/placeholder`, context, facts),
    ...lineupViolations(input.lineup ?? [], `${pointer}/lineup`, context, facts),
    ...sheetViolations(input, pointer),
    formationViolation(`${pointer}/formation`, context.sport, input.formation),
    !!input.lineup?.length &&
      facts.participants.get(input.participantId ?? '')?.type === 'ATHLETE' &&
      notATeamViolation(`${pointer}/lineup`),
    !!input.lineup?.length && !input.participantId && noParticipantViolation(`${pointer}/lineup`),
  ];
}

/** Violations of the formation and the staff, which belong to a known side. */
function sheetViolations({ participantId, formation, staff }: MatchParticipantInput, pointer: string): Violations {
  if (participantId) return [];
  const detail = 'The entry has no participant yet, so it cannot have a formation or a staff.';
  return [
    !!formation && { pointer: `${pointer}/formation`, code: 'no_participant', detail },
    (staff ?? []).length > 0 && { pointer: `${pointer}/staff`, code: 'no_participant', detail },
  ];
}

/** A value that must be unique in a match, and its pointer. */
interface UniqueValue {
  readonly key: string;
  readonly pointer: string;
  readonly detail: string;
}

const opposite: Readonly<Record<string, string>> = { HOME: 'AWAY', AWAY: 'HOME', RED: 'BLUE', BLUE: 'RED' };

function uniqueValuesOf({ participantId, side, lineup }: EntryValues, pointer: string): UniqueValue[] {
  return [
    ...(participantId
      ? [
          {
            key: participantId,
            pointer: `${pointer}/participantId`,
            detail: 'The participant already has an entry in the match.',
          },
        ]
      : []),
    ...(side ? [{ key: side, pointer: `${pointer}/side`, detail: `The match already has an entry with the side ${side}.` }] : []),
    ...lineup.flatMap(({ athleteId }, index) => {
      const detail = 'The athlete is already in a line-up of the match.';
      return athleteId === null ? [] : [{ key: athleteId, pointer: `${pointer}/lineup/${index}/athleteId`, detail }];
    }),
  ];
}

/** Validates the entries of a match together: duplicates, and sides that do not fit together. `pointers` are those of the entries. */
export function combinedViolations(entries: readonly EntryValues[], pointers: readonly string[]): Violations {
  const known = new Set<string>();
  const duplicates = entries
    .flatMap((entry, index) => uniqueValuesOf(entry, pointers[index] ?? ''))
    .flatMap(({ key, pointer, detail }) => {
      if (known.has(key)) return [{ pointer, code: 'duplicate', detail }];
      known.add(key);
      return [];
    });
  const [first] = entries.flatMap(({ side }) => (side ? [side] : []));
  const mismatches = entries.flatMap(({ side }, index) =>
    first && side && side !== first && side !== opposite[first]
      ? [
          {
            pointer: `${pointers[index] ?? ''}/side`,
            code: 'other_sides',
            detail: `The opposite side of ${first} is ${opposite[first] ?? ''}, not ${side}.`,
          },
        ]
      : [],
  );
  return [...duplicates, ...mismatches];
}
