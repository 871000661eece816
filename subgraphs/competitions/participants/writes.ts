/** How participants are written: they name teams and athletes that the viewer may know of. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthleteIds, unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { isTeamVisible, teamsById, unknownTeamViolation, type TeamsById } from '../../clients/team-facts.ts';
import type { CreateParticipantInput, UpdateParticipantInput } from '../resolvers.generated.ts';
import { participantViolations, type ParticipantMembers } from '../season-parts/rules.ts';
import { participantResource, type ParticipantRow } from '../season-parts/rows.ts';
import type { PartWriting, Writing } from '../season-parts/writes.ts';
import { unknownContest } from '../season-parts/implied-parts.ts';

interface Named {
  /** Athletes that the viewer may name. */
  readonly athletes: ReadonlySet<string>;
  readonly teams: TeamsById;
  /** Contests of the season, held until the commit. */
  readonly contests: ReadonlySet<string>;
  /** Who takes part already: `placeOf` → id of the participant. */
  readonly entered: ReadonlyMap<string, string>;
}

type Placed = Pick<CreateParticipantInput, 'contestId' | 'teamId' | 'athleteId'>;

const placeOf = ({ contestId, teamId, athleteId }: Placed): string => `${contestId ?? 'season'} ${teamId ?? athleteId ?? ''}`;

async function holdPlaces({ transaction, season, facts }: Writing<Named>, inputs: readonly Placed[]): Promise<Named> {
  const ids = (member: keyof Placed): string[] => [...new Set(inputs.flatMap((input) => input[member] ?? []))];
  const contests = await transaction.query<{ id: string }>(sql`/* participants.holdContests */ select id from contest
    where season_id = ${season.id} and id = any(${ids('contestId')}::uuid[]) order by id for share`);
  const entered = await transaction.query<Placed & { id: string }>(sql`/* participants.entered */
    select id, contest_id as "contestId", team_id as "teamId", athlete_id as "athleteId" from participant
    where season_id = ${season.id} and (team_id = any(${ids('teamId')}::uuid[]) or athlete_id = any(${ids('athleteId')}::uuid[]))`);
  return {
    ...facts,
    contests: new Set(contests.map(({ id }) => id)),
    entered: new Map(entered.map((row) => [placeOf(row), row.id])),
  };
}

/** The faults of teams and athletes that there are not, or that the viewer may not know of; whoever was named already may stay. */
function nameViolations(
  { facts, viewer, season }: Writing<Named>,
  input: ParticipantMembers,
  before: ParticipantRow | null,
): (Violation | null | false)[] {
  const { teamId, athleteId, memberIds, representsTeamId } = input;
  const were = new Set([before?.teamId, before?.athleteId, before?.representsTeamId, ...(before?.memberIds ?? [])]);
  const isKnownAthlete = (id: string): boolean => were.has(id) || facts.athletes.has(id);
  const isKnownTeam = (id: string): boolean => were.has(id) || isTeamVisible(facts.teams.get(id), viewer);
  const team = teamId && isKnownTeam(teamId) ? facts.teams.get(teamId) : undefined;
  return [
    !!teamId && !isKnownTeam(teamId) && unknownTeamViolation('/teamId'),
    !!team &&
      team.sport !== season.sport && {
        pointer: '/teamId',
        code: 'foreign_sport',
        detail: `The team plays ${team.sport}, and the season is one of ${season.sport}.`,
      },
    !!representsTeamId && !isKnownTeam(representsTeamId) && unknownTeamViolation('/representsTeamId'),
    !!athleteId && !isKnownAthlete(athleteId) && unknownAthleteViolation('/athleteId'),
    ...(memberIds ?? []).map((id, index) => !isKnownAthlete(id) && unknownAthleteViolation(`/memberIds/${index}`)),
  ];
}

/** The same team or athlete is in a contest, or in the whole season, once. Throws Problem conflict (409, with existingId). */
function refuseTwice({ entered }: Named, input: Placed): void {
  const existingId = input.teamId || input.athleteId ? entered.get(placeOf(input)) : undefined;
  if (existingId === undefined) return;
  const where = input.contestId ? 'this contest' : 'the season';
  const who = input.teamId ? 'team' : 'athlete';
  throw new Problem('conflict', `The ${who} takes part in ${where} already: see existingId.`, { existingId });
}

/** Entries in matches name the athletes of their participant, to be found by them. */
async function renewEntries(transaction: WriteTransaction, before: ParticipantRow, after: ParticipantRow): Promise<void> {
  if (before.memberIds.join() === after.memberIds.join()) return;
  await transaction.query(sql`/* participants.renewEntries */ update match_participant set athlete_ids = array(
      select unnest(${after.memberIds}::uuid[]) union select (entry ->> 'athleteId')::uuid from jsonb_array_elements(lineup) entry)
    where participant_id = ${after.id}`);
}

export const participantWriting: PartWriting<ParticipantRow, UpdateParticipantInput, CreateParticipantInput, Named> = {
  resource: participantResource,
  title: 'Participant',
  plural: 'Participants',
  fixed: ['contestId', 'type', 'teamId', 'athleteId'],
  async gather(context, inputs) {
    const named: readonly ParticipantMembers[] = inputs;
    const [athletes, teams] = await Promise.all([
      visibleAthleteIds(
        context,
        named.flatMap(({ athleteId, memberIds }) => [athleteId, ...(memberIds ?? [])]),
      ),
      teamsById(
        context,
        named.flatMap(({ teamId, representsTeamId }) => [teamId, representsTeamId]),
      ),
    ]);
    return { athletes, teams, contests: new Set(), entered: new Map() };
  },
  hold: holdPlaces,
  begin(writing, input) {
    const { externalIds: _, group, unnamed: __, ...values } = input;
    rejectInvalid([
      !!input.contestId && !writing.facts.contests.has(input.contestId) && unknownContest,
      ...participantViolations(input.type, input),
      ...nameViolations(writing, input, null),
    ]);
    refuseTwice(writing.facts, input);
    const team = input.teamId ? writing.facts.teams.get(input.teamId) : undefined;
    return Promise.resolve({ ...values, name: input.name ?? team?.name, groupName: group } as Partial<ParticipantRow>);
  },
  change(writing, before, input) {
    // A batch item names these, too, as they are.
    const {
      externalIds: _,
      group,
      contestId: __,
      type: ___,
      teamId,
      athleteId: ____,
      unnamed: _____,
      ...values
    } = input as CreateParticipantInput;
    const { name } = input;
    const unnamed = before.type === 'ATHLETE' && before.athleteId === null;
    rejectInvalid([
      ...participantViolations(before.type, { ...before, ...values, unnamed }),
      ...nameViolations(writing, values, before),
    ]);
    const team = before.teamId === null ? undefined : writing.facts.teams.get(before.teamId);
    const named = name === null && before.type === 'TEAM' ? (team?.name ?? before.name) : name;
    const memberIds = values.memberIds ?? undefined;
    return Promise.resolve({ ...values, memberIds, name: named, groupName: group } as Partial<ParticipantRow>);
  },
  scope: ({ contestId }) => ({ contestId }),
  changed: renewEntries,
  async leave(transaction, { id, seasonId }) {
    const [decision] = await transaction.query(
      sql`/* participants.ofDecision */ select 1 from tie_break_decision where ${id} = any(participant_ids) limit 1`,
    );
    if (decision) throw new Problem('in_use', 'A tie-break decision is about this participant: delete that first.');
    const [told] =
      await transaction.query(sql`/* participants.ofResults */ select 1 from result join result_version on result_version.result_id = result.id
      where result.season_id = ${seasonId} and result_version.participants @> ${JSON.stringify([{ participantId: id }])}::jsonb limit 1`);
    if (told)
      throw new Problem('in_use', 'A result says what this participant did, now or in a former version: it stays for that.');
  },
};
