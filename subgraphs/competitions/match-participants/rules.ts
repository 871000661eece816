/** The rules of who takes part in a match: places, sides and team sheets. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { LineupEntryInput, MatchParticipantInput } from '../resolvers.generated.ts';
import type { LineupValue, MatchParticipantRow } from '../matches/rows.ts';
import type { ParticipantRow } from '../season-parts/rows.ts';

/** What the database holds of a place in a match, beside its match and its result. */
export type EntryValues = Omit<MatchParticipantRow, 'id' | 'matchId' | 'ordinal' | 'result' | 'startsAt' | 'published'>;

/** What a match and its entries must fit. */
export interface EntryFrame {
  readonly sport: Sport;
  readonly seasonId: string;
  readonly contestId: string;
  /** The match itself, where there is one already. */
  readonly matchId: string | null;
}

/** What the places of a match may name, looked up for all of them at once. */
export interface EntryFacts {
  readonly participants: ReadonlyMap<string, ParticipantRow>;
  /** Athletes that the caller may name. */
  readonly athletes: ReadonlySet<string>;
  /** Matches that places wait for, by id: their season, and the matches that they wait for in turn. */
  readonly sources: ReadonlyMap<string, { readonly seasonId: string; readonly waitsFor: readonly string[] }>;
}

type Violations = (Violation | null | false)[];

function kindViolations({ participantId, placeholder, bye }: MatchParticipantInput, pointer: string): Violations {
  const none = !participantId && !placeholder && !bye;
  const detail = none
    ? 'Say who takes the place: a participantId, a placeholder, or bye: true.'
    : 'A bye is nobody: leave the participant and the placeholder out, or the bye.';
  return [(none || (!!bye && (!!participantId || !!placeholder))) && { pointer, code: 'one_of', detail }];
}

function participantViolations(id: string | null | undefined, pointer: string, frame: EntryFrame, facts: EntryFacts): Violations {
  if (!id) return [];
  const row = facts.participants.get(id);
  if (row?.seasonId !== frame.seasonId)
    return [{ pointer, code: 'unknown_participant', detail: 'There is no participant with this id in the season of the match.' }];
  const other = row.contestId !== null && row.contestId !== frame.contestId;
  return [other && { pointer, code: 'other_contest', detail: 'This participant is entered in another contest of the season.' }];
}

/** Whether a match waits, over any number of others, for a match. */
function waitsFor(id: string, target: string, sources: EntryFacts['sources'], seen = new Set<string>()): boolean {
  if (id === target) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return (sources.get(id)?.waitsFor ?? []).some((next) => waitsFor(next, target, sources, seen));
}

function placeholderViolations(input: MatchParticipantInput, pointer: string, frame: EntryFrame, facts: EntryFacts): Violations {
  const { text, sourceMatchId, outcome } = input.placeholder ?? {};
  if (!input.placeholder) return [];
  const source = sourceMatchId ? facts.sources.get(sourceMatchId) : undefined;
  return [
    !text && !sourceMatchId && { pointer, code: 'one_of', detail: 'Give a text, or the match that the place waits for.' },
    !!sourceMatchId !== !!outcome && {
      pointer: `${pointer}/${sourceMatchId ? 'outcome' : 'sourceMatchId'}`,
      code: 'required',
      detail: 'sourceMatchId and outcome go together: whether the place waits for who wins or who loses that match.',
    },
    !!sourceMatchId &&
      source?.seasonId !== frame.seasonId && {
        pointer: `${pointer}/sourceMatchId`,
        code: 'unknown_match',
        detail: 'There is no match with this id in the season.',
      },
    !!sourceMatchId &&
      frame.matchId !== null &&
      waitsFor(sourceMatchId, frame.matchId, facts.sources) && {
        pointer: `${pointer}/sourceMatchId`,
        code: 'circular',
        detail: 'That match waits for this one: neither would ever be known.',
      },
  ];
}

/** What is wrong with a place by itself. */
export function entryViolations(input: MatchParticipantInput, pointer: string, frame: EntryFrame, facts: EntryFacts): Violations {
  return [
    ...kindViolations(input, pointer),
    ...participantViolations(input.participantId, `${pointer}/participantId`, frame, facts),
    ...placeholderViolations(input, `${pointer}/placeholder`, frame, facts),
    ...lineupViolations(input.lineup ?? [], `${pointer}/lineup`, frame, facts),
    !!input.lineup?.length &&
      facts.participants.get(input.participantId ?? '')?.type === 'ATHLETE' && {
        pointer: `${pointer}/lineup`,
        code: 'not_a_team',
        detail: 'Team sheets are of teams, pairs and relays: an athlete alone needs none.',
      },
    !!input.lineup?.length &&
      !input.participantId && { pointer: `${pointer}/lineup`, code: 'no_participant', detail: 'Nobody takes this place yet.' },
  ];
}

/** What is wrong with the players of a team sheet, but for those of other team sheets. */
export function lineupViolations(
  lineup: readonly LineupEntryInput[],
  pointer: string,
  { sport }: Pick<EntryFrame, 'sport'>,
  { athletes }: Pick<EntryFacts, 'athletes'>,
): Violations {
  return lineup.flatMap(({ athleteId, position }, index) => [
    !athletes.has(athleteId) && unknownAthleteViolation(`${pointer}/${index}/athleteId`),
    registryViolation(`${pointer}/${index}/position`, sport, 'position', position),
  ]);
}

/** One thing that may be in a match once only, and where it was given. */
interface Once {
  readonly key: string;
  readonly pointer: string;
  readonly detail: string;
}

const opposite: Readonly<Record<string, string>> = { HOME: 'AWAY', AWAY: 'HOME', RED: 'BLUE', BLUE: 'RED' };

function oncesOf({ participantId, side, lineup }: EntryValues, pointer: string): Once[] {
  return [
    ...(participantId
      ? [{ key: participantId, pointer: `${pointer}/participantId`, detail: 'A participant takes one place in a match only.' }]
      : []),
    ...(side ? [{ key: side, pointer: `${pointer}/side`, detail: `A match has one ${side} side only.` }] : []),
    ...lineup.map(({ athleteId }, index) => ({
      key: athleteId,
      pointer: `${pointer}/lineup/${index}/athleteId`,
      detail: 'An athlete stands on one team sheet of a match, and once only.',
    })),
  ];
}

/** What is wrong with the places of a match together: somebody or a side twice, or sides that do not meet. `pointers` are those of the entries. */
export function togetherViolations(entries: readonly EntryValues[], pointers: readonly string[]): Violations {
  const seen = new Set<string>();
  const twice = entries
    .flatMap((entry, index) => oncesOf(entry, pointers[index] ?? ''))
    .flatMap(({ key, pointer, detail }) => {
      if (seen.has(key)) return [{ pointer, code: 'duplicate', detail }];
      seen.add(key);
      return [];
    });
  const [first] = entries.flatMap(({ side }) => (side ? [side] : []));
  const apart = entries.flatMap(({ side }, index) =>
    first && side && side !== first && side !== opposite[first]
      ? [
          {
            pointer: `${pointers[index] ?? ''}/side`,
            code: 'other_sides',
            detail: `${first} meets ${opposite[first] ?? ''}, not ${side}.`,
          },
        ]
      : [],
  );
  return [...twice, ...apart];
}

/** A team sheet as it is stored. */
export function lineupOf(lineup: readonly LineupEntryInput[] | null | undefined): LineupValue[] {
  return (lineup ?? []).map(({ athleteId, position, shirtNumber, starter, captain }) => ({
    athleteId,
    position: position ?? null,
    shirtNumber: shirtNumber ?? null,
    starter: starter ?? true,
    captain: captain ?? false,
  }));
}

/** The athletes of a place: the participant's own, its members, and those of the team sheet. */
export function athletesOf(participant: ParticipantRow | undefined, lineup: readonly LineupValue[]): string[] {
  const own = participant?.athleteId ? [participant.athleteId] : [];
  return [...new Set([...own, ...(participant?.memberIds ?? []), ...lineup.map(({ athleteId }) => athleteId)])];
}

/** A place as it is stored. */
export function entryOf(input: MatchParticipantInput, { participants }: Pick<EntryFacts, 'participants'>): EntryValues {
  const participant = participants.get(input.participantId ?? '');
  const lineup = lineupOf(input.lineup);
  return {
    participantId: input.participantId ?? null,
    teamId: participant?.teamId ?? null,
    athleteIds: athletesOf(participant, lineup),
    placeholderText: input.placeholder?.text ?? null,
    sourceMatchId: input.placeholder?.sourceMatchId ?? null,
    sourceOutcome: input.placeholder?.outcome ?? null,
    side: input.side ?? null,
    lane: input.lane ?? null,
    bib: input.bib ?? null,
    seed: input.seed ?? null,
    bye: input.bye ?? false,
    lineup,
  };
}
