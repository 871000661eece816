/** The rules of contests, stages and participants that need no database. */
import type { Fault } from '../../schema/errors.ts';
import type { ParticipantType } from './resolvers.generated.ts';

type Faults = (Fault | null | false)[];

/** A member that null takes back to what it is where nobody says anything; absent stays absent. */
export function orDefault<Value>(value: Value | null | undefined, fallback: Value): Value | undefined {
  return value === null ? fallback : value;
}

const groupLengthMax = 40;

function groupFaults(groups: readonly string[]): Faults {
  return groups.map((group, index) => {
    const pointer = `/groups/${index}`;
    if (group.length === 0 || group.length > groupLengthMax)
      return { pointer, code: 'out_of_bounds', detail: `The name of a group has 1 to ${groupLengthMax} characters.` };
    const twice = groups.indexOf(group) !== index;
    return twice && { pointer, code: 'duplicate', detail: `The group ${group} is named already.` };
  });
}

/** What is wrong with a stage, as it will be after the write. */
export function stageFaults(stage: {
  readonly groups?: readonly string[] | null | undefined;
  readonly legs?: number | null | undefined;
  readonly bestOf?: number | null | undefined;
}): Faults {
  const { groups, legs, bestOf } = stage;
  return [
    ...groupFaults(groups ?? []),
    !!bestOf &&
      bestOf % 2 === 0 && {
        pointer: '/bestOf',
        code: 'even',
        detail: `A series has an odd number of matches, so that somebody wins it: not ${bestOf}.`,
      },
    !!bestOf &&
      legs === 2 && {
        pointer: '/bestOf',
        code: 'one_of',
        detail: 'A tie is decided over two legs or by a series: give legs 2 or bestOf.',
      },
  ];
}

type Named = 'teamId' | 'athleteId' | 'memberIds' | 'name' | 'representsTeamId';

interface Shape {
  readonly needs: Named;
  readonly refuses: readonly Named[];
  /** How many members, from and to. */
  readonly members?: readonly [number, number];
}

const shapes: Readonly<Record<ParticipantType, Shape>> = {
  TEAM: { needs: 'teamId', refuses: ['athleteId', 'memberIds', 'representsTeamId'] },
  ATHLETE: { needs: 'athleteId', refuses: ['teamId', 'memberIds', 'name'] },
  PAIR: { needs: 'memberIds', refuses: ['teamId', 'athleteId', 'name'], members: [2, 2] },
  RELAY: { needs: 'memberIds', refuses: ['teamId', 'athleteId'], members: [2, 8] },
};

const reasons: Readonly<Record<Named, string>> = {
  teamId: 'A team is named by teamId.',
  athleteId: 'An athlete is named by athleteId.',
  memberIds: 'A pair or relay is named by memberIds.',
  name: 'Athletes and pairs have the names of their profiles: leave the name out.',
  representsTeamId: 'A team starts for itself: leave representsTeamId out.',
};

export type ParticipantMembers = Readonly<Partial<Record<Exclude<Named, 'memberIds'>, string | null | undefined>>> & {
  readonly memberIds?: readonly string[] | null | undefined;
};

/** What is wrong with who a participant is, as it will be after the write. */
export function participantFaults(type: ParticipantType, participant: ParticipantMembers): Faults {
  const { needs, refuses, members } = shapes[type];
  const given = (member: Named): boolean => (participant[member]?.length ?? 0) > 0;
  const ids = participant.memberIds ?? [];
  const [least, most] = members ?? [0, 0];
  return [
    !given(needs) && { pointer: `/${needs}`, code: 'required', detail: reasons[needs] },
    ...refuses.map((member) => given(member) && { pointer: `/${member}`, code: 'not_for_type', detail: reasons[member] }),
    members !== undefined &&
      given('memberIds') &&
      (ids.length < least || ids.length > most) && {
        pointer: '/memberIds',
        code: 'out_of_bounds',
        detail: least === most ? `A pair has ${least} members.` : `A relay has ${least} to ${most} members.`,
      },
    ...ids.map(
      (id, index) =>
        ids.indexOf(id) !== index && {
          pointer: `/memberIds/${index}`,
          code: 'duplicate',
          detail: 'Nobody is a member twice.',
        },
    ),
  ];
}

/** Points or time: an adjustment is one of them. */
export function adjustmentFaults(adjustment: {
  readonly points?: number | null | undefined;
  readonly timeMs?: number | null | undefined;
}): Faults {
  const given = [adjustment.points, adjustment.timeMs].filter((value) => value !== null && value !== undefined);
  return [given.length !== 1 && { pointer: '/points', code: 'one_of', detail: 'Give either points or timeMs.' }];
}
