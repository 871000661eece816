/** Write description of participants. They refer to teams and athletes that the viewer can read. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthleteIds, unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { isTeamVisible, teamsById, unknownTeamViolation, type TeamsById } from '../../clients/team-facts.ts';
import type { CreateParticipantInput, UpdateParticipantInput } from '../generated/resolvers.ts';
import { rowValues, withValues } from '../../runtime/row-values.ts';
import { unknownContestViolation } from '../season-parts/implied-parts.ts';
import type { PartDescription, PartWrite } from '../season-parts/writes.ts';
import { participantViolations, type ParticipantMembers } from './rules.ts';
import { participantResource, type ParticipantRow } from './rows.ts';

interface ParticipantFacts {
  /** Athletes that the viewer can refer to. */
  readonly athletes: ReadonlySet<string>;
  readonly teams: TeamsById;
  /** Contests of the season, locked until the commit. */
  readonly contests: ReadonlySet<string>;
  /** Existing participants: `entryKey` → id. */
  readonly existing: ReadonlyMap<string, string>;
}

type EntryKey = Pick<CreateParticipantInput, 'contestId' | 'teamId' | 'athleteId'>;

const entryKey = ({ contestId, teamId, athleteId }: EntryKey): string => `${contestId ?? 'season'} ${teamId ?? athleteId ?? ''}`;

async function lockReferences(
  { transaction, season, facts }: PartWrite<ParticipantFacts>,
  inputs: readonly EntryKey[],
): Promise<ParticipantFacts> {
  const ids = (member: keyof EntryKey): string[] => [...new Set(inputs.flatMap((input) => input[member] ?? []))];
  const contests = await transaction.query<{ id: string }>(sql`/* participants.lockContests */ select id from contest
    where season_id = ${season.id} and id = any(${ids('contestId')}::uuid[]) order by id for share`);
  const existing = await transaction.query<EntryKey & { id: string }>(sql`/* participants.existing */
    select id, contest_id as "contestId", team_id as "teamId", athlete_id as "athleteId" from participant
    where season_id = ${season.id} and (team_id = any(${ids('teamId')}::uuid[]) or athlete_id = any(${ids('athleteId')}::uuid[]))`);
  return {
    ...facts,
    contests: new Set(contests.map(({ id }) => id)),
    existing: new Map(existing.map((row) => [entryKey(row), row.id])),
  };
}

/** Violations for teams and athletes that do not exist or that the viewer cannot read. Existing references may stay. */
function referenceViolations(
  { facts, viewer, season }: PartWrite<ParticipantFacts>,
  { teamId, athleteId, memberIds, representsTeamId }: ParticipantMembers,
  before?: ParticipantRow,
): (Violation | null | false)[] {
  const stored = new Set(before && [before.teamId, before.athleteId, before.representsTeamId, ...before.memberIds]);
  const isKnownAthlete = (id: string): boolean => stored.has(id) || facts.athletes.has(id);
  const isKnownTeam = (id: string): boolean => stored.has(id) || isTeamVisible(facts.teams.get(id), viewer);
  const team = teamId && isKnownTeam(teamId) ? facts.teams.get(teamId) : undefined;
  return [
    !!teamId && !isKnownTeam(teamId) && unknownTeamViolation('/teamId'),
    !!team &&
      team.sport !== season.sport && {
        pointer: '/teamId',
        code: 'foreign_sport',
        detail: `The team has the sport ${team.sport}, the season has the sport ${season.sport}.`,
      },
    !!representsTeamId && !isKnownTeam(representsTeamId) && unknownTeamViolation('/representsTeamId'),
    !!athleteId && !isKnownAthlete(athleteId) && unknownAthleteViolation('/athleteId'),
    ...(memberIds ?? []).map((id, index) => !isKnownAthlete(id) && unknownAthleteViolation(`/memberIds/${index}`)),
  ];
}

/** Throws Problem conflict (409, with existingId) when the team or athlete is already a participant of the contest or the season. */
function requireNew({ existing }: ParticipantFacts, input: EntryKey): void {
  const existingId = input.teamId || input.athleteId ? existing.get(entryKey(input)) : undefined;
  if (existingId === undefined) return;
  const scope = input.contestId ? 'contest' : 'season';
  const kind = input.teamId ? 'team' : 'athlete';
  throw new Problem('conflict', `The ${kind} is already a participant of the ${scope}. \`existingId\` is its ID.`, {
    existingId,
  });
}

/** Match entries store the athletes of their participant, so that filters by athlete find them. */
async function updateEntryAthletes(transaction: WriteTransaction, before: ParticipantRow, after: ParticipantRow): Promise<void> {
  if (before.memberIds.join() === after.memberIds.join()) return;
  await transaction.query(sql`/* participants.updateEntryAthletes */ update match_participant set athlete_ids = array(
      select unnest(${after.memberIds}::uuid[]) union select (entry ->> 'athleteId')::uuid from jsonb_array_elements(lineup) entry where entry ->> 'athleteId' is not null)
    where participant_id = ${after.id}`);
}

/** Throws Problem in_use (409) for references in arrays and JSON, which no foreign key protects. */
async function requireUnused(transaction: WriteTransaction, { id, seasonId }: ParticipantRow): Promise<void> {
  const [decision] = await transaction.query(
    sql`/* participants.ofDecision */ select 1 from tie_break_decision where ${id} = any(participant_ids) limit 1`,
  );
  if (decision) throw new Problem('in_use', 'A tie-break decision refers to this participant. Delete it first.');
  const [result] =
    await transaction.query(sql`/* participants.ofResults */ select 1 from result join result_version on result_version.result_id = result.id
    where result.season_id = ${seasonId} and result_version.participants @> ${JSON.stringify([{ participantId: id }])}::jsonb limit 1`);
  if (result)
    throw new Problem('in_use', 'A current or former version of a result refers to this participant. It cannot be deleted.');
}

/** The members that creating and updating a participant have in common. */
const valuesOf = (input: UpdateParticipantInput): Partial<ParticipantRow> => {
  const {
    name,
    representsTeamId,
    representsName,
    representsCountry,
    group,
    division,
    seed,
    entry,
    bracketPosition,
    bib,
    ...rest
  } = input;
  const { memberIds, externalIds: _, ...unmapped } = rest;
  return rowValues<ParticipantRow>(
    {
      name,
      memberIds: memberIds ?? undefined,
      representsTeamId,
      representsName,
      representsCountry,
      groupName: group,
      division,
      seed,
      entry,
      bracketPosition,
      bib,
    },
    unmapped,
  );
};

export const participantDescription: PartDescription<
  ParticipantRow,
  UpdateParticipantInput,
  CreateParticipantInput,
  ParticipantFacts
> = {
  resource: participantResource,
  title: 'Participant',
  plural: 'Participants',
  immutable: ['contestId', 'type', 'teamId', 'athleteId'],
  async fetchFacts(context, named) {
    const members: readonly ParticipantMembers[] = named;
    const athleteIds = members.flatMap(({ athleteId, memberIds }) => [athleteId, ...(memberIds ?? [])]);
    const teamIds = members.flatMap(({ teamId, representsTeamId }) => [teamId, representsTeamId]);
    const [athletes, teams] = await Promise.all([visibleAthleteIds(context, athleteIds), teamsById(context, teamIds)]);
    return { athletes, teams, contests: new Set(), existing: new Map() };
  },
  lockReferences,
  newValues(write, input) {
    const { contestId, type, teamId, athleteId } = input;
    rejectInvalid([
      !!contestId && !write.facts.contests.has(contestId) && unknownContestViolation,
      ...participantViolations(type, input),
      ...referenceViolations(write, input),
    ]);
    requireNew(write.facts, input);
    const team = teamId ? write.facts.teams.get(teamId) : undefined;
    const own = rowValues<ParticipantRow>({ contestId, type, teamId, athleteId, name: input.name ?? team?.name });
    return Promise.resolve({ ...valuesOf(input), ...own });
  },
  patchValues(write, before, input) {
    const values = valuesOf(input);
    const unnamed = before.type === 'ATHLETE' && before.athleteId === null;
    const { memberIds, representsTeamId } = input;
    rejectInvalid([
      ...participantViolations(before.type, { ...withValues(before, values), unnamed }),
      ...referenceViolations(write, { memberIds, representsTeamId }, before),
    ]);
    // Deleting the name of a team restores the name of its profile.
    if (input.name !== null || before.type !== 'TEAM') return Promise.resolve(values);
    const team = before.teamId === null ? undefined : write.facts.teams.get(before.teamId);
    return Promise.resolve({ ...values, name: team?.name ?? before.name });
  },
  rankingScope: ({ contestId }) => ({ contestId }),
  afterChange: updateEntryAthletes,
  beforeDelete: requireUnused,
};
