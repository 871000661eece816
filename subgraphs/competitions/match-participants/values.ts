/** The values of an entry, and how they follow from an input and its participant. */
import type {
  LineupEntryInput,
  MatchParticipantInput,
  MatchSide,
  ParticipantType,
  PlaceholderOutcome,
  StaffRole,
} from '../generated/resolvers.ts';

/** The values of an entry without those of its match and its result. */
export interface EntryValues {
  readonly participantId: string | null;
  readonly teamId: string | null;
  readonly athleteIds: string[];
  readonly placeholderText: string | null;
  readonly sourceMatchId: string | null;
  readonly sourceOutcome: PlaceholderOutcome | null;
  readonly side: MatchSide | null;
  readonly lane: number | null;
  readonly bib: string | null;
  readonly seed: number | null;
  readonly bye: boolean;
  readonly lineup: LineupValue[];
  /** Such as 4-3-3. */
  readonly formation: string | null;
  readonly staff: StaffValue[];
}

/** A coach or another member of the staff. */
export interface StaffValue {
  readonly name: string;
  readonly role: StaffRole;
}

/** A player of a line-up, as stored. */
export interface LineupValue {
  /** Null for a player without a profile, who has a name. */
  readonly athleteId: string | null;
  readonly name?: string | null;
  readonly position: string | null;
  readonly shirtNumber: number | null;
  readonly starter: boolean;
  readonly captain: boolean;
}

/** A participant of the season, as far as entries depend on it. */
export interface SeasonParticipant {
  readonly seasonId: string;
  readonly contestId: string | null;
  readonly type: ParticipantType;
  readonly teamId: string | null;
  readonly athleteId: string | null;
  readonly memberIds: readonly string[];
  readonly name: string | null;
  readonly representsTeamId: string | null;
  readonly representsCountry: string | null;
}

/** A line-up as the database stores it. */
export function lineupOf(lineup: readonly LineupEntryInput[] | null | undefined): LineupValue[] {
  return (lineup ?? []).map(({ athleteId, name, position, shirtNumber, starter, captain }) => ({
    athleteId: athleteId ?? null,
    ...(name ? { name } : {}),
    position: position ?? null,
    shirtNumber: shirtNumber ?? null,
    starter: starter ?? true,
    captain: captain ?? false,
  }));
}

/** A player with a profile. */
export type ProfiledPlayer = LineupValue & { readonly athleteId: string };

/** The players of a line-up that have a profile. */
export const profiled = (lineup: readonly LineupValue[]): ProfiledPlayer[] =>
  lineup.flatMap((player) => (player.athleteId === null ? [] : [{ ...player, athleteId: player.athleteId }]));

/** The athletes of an entry: the participant's athlete, its members, and the line-up. */
export function athletesOf(participant: SeasonParticipant | undefined, lineup: readonly LineupValue[]): string[] {
  const own = participant?.athleteId ? [participant.athleteId] : [];
  return [...new Set([...own, ...(participant?.memberIds ?? []), ...profiled(lineup).map(({ athleteId }) => athleteId)])];
}

/** The staff of a side as the database stores it. */
export const staffOf = (staff: MatchParticipantInput['staff']): StaffValue[] =>
  (staff ?? []).map(({ name, role }) => ({ name, role: role ?? 'HEAD_COACH' }));

type EntrySource = Pick<EntryValues, 'placeholderText' | 'sourceMatchId' | 'sourceOutcome'>;

const sourceOf = ({ placeholder }: MatchParticipantInput): EntrySource => ({
  placeholderText: placeholder?.text ?? null,
  sourceMatchId: placeholder?.sourceMatchId ?? null,
  sourceOutcome: placeholder?.outcome ?? null,
});

/** An entry as the database stores it. */
export function entryOf(
  input: MatchParticipantInput,
  { participants }: { readonly participants: ReadonlyMap<string, SeasonParticipant> },
): EntryValues {
  const participant = participants.get(input.participantId ?? '');
  const lineup = lineupOf(input.lineup);
  return {
    participantId: input.participantId ?? null,
    teamId: participant?.teamId ?? null,
    athleteIds: athletesOf(participant, lineup),
    ...sourceOf(input),
    side: input.side ?? null,
    lane: input.lane ?? null,
    bib: input.bib ?? null,
    seed: input.seed ?? null,
    bye: input.bye ?? false,
    lineup,
    formation: input.formation ?? null,
    staff: staffOf(input.staff),
  };
}
