/** The rules of contests, stages and participants that need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { ParticipantType } from '../resolvers.generated.ts';

type Violations = (Violation | null | false)[];

/** A member that null takes back to what it is where nobody says anything; absent stays absent. */
export function orDefault<Value>(value: Value | null | undefined, fallback: Value): Value | undefined {
  return value === null ? fallback : value;
}

const groupLengthMax = 40;

function groupViolations(groups: readonly string[]): Violations {
  return groups.map((group, index) => {
    const pointer = `/groups/${index}`;
    if (group.length === 0 || group.length > groupLengthMax)
      return { pointer, code: 'out_of_bounds', detail: `The name of a group has 1 to ${groupLengthMax} characters.` };
    const twice = groups.indexOf(group) !== index;
    return twice && { pointer, code: 'duplicate', detail: 'This group is named already.' };
  });
}

/** What is wrong with a stage, as it will be after the write. */
export function stageViolations(stage: {
  readonly groups?: readonly string[] | null | undefined;
  readonly legs?: number | null | undefined;
  readonly bestOf?: number | null | undefined;
}): Violations {
  const { groups, legs, bestOf } = stage;
  return [
    ...groupViolations(groups ?? []),
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

type Named = 'teamId' | 'athleteId' | 'memberIds' | 'name' | 'representsTeamId' | 'representsName';

interface Shape {
  /** One of these. */
  readonly needs: readonly Named[];
  readonly refuses: readonly Named[];
  /** How many members, from and to. */
  readonly members?: readonly [number, number];
}

const shapes: Readonly<Record<ParticipantType, Shape>> = {
  TEAM: { needs: ['teamId'], refuses: ['athleteId', 'memberIds', 'representsTeamId', 'representsName'] },
  ATHLETE: { needs: ['athleteId'], refuses: ['teamId', 'memberIds', 'name'] },
  PAIR: { needs: ['memberIds'], refuses: ['teamId', 'athleteId', 'name'], members: [2, 2] },
  RELAY: { needs: ['memberIds', 'name'], refuses: ['teamId', 'athleteId'], members: [2, 8] },
};

/** Somebody of whom only the place is told. */
const unnamed: Shape = { needs: [], refuses: ['teamId', 'athleteId', 'memberIds', 'name'] };

const reasons: Readonly<Record<Named, string>> = {
  teamId: 'A team is named by teamId.',
  athleteId: 'An athlete is named by athleteId; say unnamed: true of one whom nobody names.',
  memberIds: 'A pair is named by memberIds, a relay by them or by its name.',
  name: 'Athletes and pairs have the names of their profiles: leave the name out.',
  representsTeamId: 'A team starts for itself: leave representsTeamId out.',
  representsName: 'A team starts for itself: leave representsName out.',
};

export type ParticipantMembers = Readonly<Partial<Record<Exclude<Named, 'memberIds'>, string | null | undefined>>> & {
  readonly memberIds?: readonly string[] | null | undefined;
  readonly unnamed?: boolean | null | undefined;
};

function shapeViolations(type: ParticipantType, isUnnamed: boolean, given: (member: Named) => boolean): Violations {
  const { needs, refuses } = isUnnamed && type === 'ATHLETE' ? unnamed : shapes[type];
  const [first] = needs;
  return [
    isUnnamed && type !== 'ATHLETE' && { pointer: '/unnamed', code: 'not_for_type', detail: 'Only an athlete can be unnamed.' },
    first !== undefined && !needs.some(given) && { pointer: `/${first}`, code: 'required', detail: reasons[first] },
    ...refuses.map((member) => given(member) && { pointer: `/${member}`, code: 'not_for_type', detail: reasons[member] }),
    given('representsTeamId') &&
      given('representsName') && {
        pointer: '/representsName',
        code: 'one_of',
        detail: 'Give representsTeamId for a team of the platform, or the name of another one.',
      },
  ];
}

/** What is wrong with who a participant is, as it will be after the write. */
export function participantViolations(type: ParticipantType, participant: ParticipantMembers): Violations {
  const given = (member: Named): boolean => (participant[member]?.length ?? 0) > 0;
  const ids = participant.memberIds ?? [];
  const { members } = shapes[type];
  const [least, most] = members ?? [0, 0];
  return [
    ...shapeViolations(type, participant.unnamed === true, given),
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
export function adjustmentViolations(adjustment: {
  readonly points?: number | null | undefined;
  readonly timeMs?: number | null | undefined;
}): Violations {
  const given = [adjustment.points, adjustment.timeMs].filter((value) => value !== null && value !== undefined);
  return [given.length !== 1 && { pointer: '/points', code: 'one_of', detail: 'Give either points or timeMs.' }];
}
