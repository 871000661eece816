/** Validation of participants: which members each type of participant requires and rejects. */
import type { Violation } from '../../../schema/errors.ts';
import type { ParticipantType } from '../generated/resolvers.ts';

type Violations = (Violation | null | false)[];

type Member = 'teamId' | 'athleteId' | 'memberIds' | 'name' | 'representsTeamId' | 'representsName';

interface Shape {
  /** At least one of these is required. */
  readonly required: readonly Member[];
  readonly rejected: readonly Member[];
  /** Minimum and maximum number of `memberIds`. */
  readonly members?: readonly [number, number];
}

const shapes: Readonly<Record<ParticipantType, Shape>> = {
  TEAM: { required: ['teamId'], rejected: ['athleteId', 'memberIds', 'representsTeamId', 'representsName'] },
  ATHLETE: { required: ['athleteId'], rejected: ['teamId', 'memberIds', 'name'] },
  PAIR: { required: ['memberIds'], rejected: ['teamId', 'athleteId', 'name'], members: [2, 2] },
  RELAY: { required: ['memberIds', 'name'], rejected: ['teamId', 'athleteId'], members: [2, 8] },
};

/** An athlete without a profile or a name: only the position in the results is known. */
const unnamedShape: Shape = { required: [], rejected: ['teamId', 'athleteId', 'memberIds', 'name'] };

const details: Readonly<Record<Member, string>> = {
  teamId: '`teamId` is required for a team and not allowed for other types.',
  athleteId:
    '`athleteId` is required for an athlete and not allowed for other types. For an athlete without a name, set `unnamed: true`.',
  memberIds: 'A pair requires `memberIds`. A relay requires `memberIds` or `name`. Other types do not allow `memberIds`.',
  name: 'Athletes and pairs have the names of their profiles. Remove `name`.',
  representsTeamId: 'A team cannot represent another team. Remove `representsTeamId`.',
  representsName: 'A team cannot represent another team. Remove `representsName`.',
};

export type ParticipantMembers = Readonly<Partial<Record<Exclude<Member, 'memberIds'>, string | null | undefined>>> & {
  readonly memberIds?: readonly string[] | null | undefined;
  readonly unnamed?: boolean | null | undefined;
};

function shapeViolations(type: ParticipantType, isUnnamed: boolean, isGiven: (member: Member) => boolean): Violations {
  const { required, rejected } = isUnnamed && type === 'ATHLETE' ? unnamedShape : shapes[type];
  const [first] = required;
  return [
    isUnnamed &&
      type !== 'ATHLETE' && {
        pointer: '/unnamed',
        code: 'not_for_type',
        detail: '`unnamed` is allowed for participants of type ATHLETE only.',
      },
    first !== undefined && !required.some(isGiven) && { pointer: `/${first}`, code: 'required', detail: details[first] },
    ...rejected.map((member) => isGiven(member) && { pointer: `/${member}`, code: 'not_for_type', detail: details[member] }),
    isGiven('representsTeamId') &&
      isGiven('representsName') && {
        pointer: '/representsName',
        code: 'one_of',
        detail: 'Set `representsTeamId` for a team of the platform, or `representsName` for any other team.',
      },
  ];
}

/** Validates the identity of a participant with the values that it has after the write. */
export function participantViolations(type: ParticipantType, participant: ParticipantMembers): Violations {
  const isGiven = (member: Member): boolean => (participant[member]?.length ?? 0) > 0;
  const ids = participant.memberIds ?? [];
  const { members } = shapes[type];
  const [least, most] = members ?? [0, 0];
  return [
    ...shapeViolations(type, participant.unnamed === true, isGiven),
    members !== undefined &&
      isGiven('memberIds') &&
      (ids.length < least || ids.length > most) && {
        pointer: '/memberIds',
        code: 'out_of_bounds',
        detail: least === most ? `A pair must have ${least} members.` : `A relay must have ${least} to ${most} members.`,
      },
    ...ids.map(
      (id, index) =>
        ids.indexOf(id) !== index && {
          pointer: `/memberIds/${index}`,
          code: 'duplicate',
          detail: 'The athlete is already in the list.',
        },
    ),
  ];
}
