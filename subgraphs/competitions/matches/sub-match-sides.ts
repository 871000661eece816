/** The sides of a sub-match: the n-th participant plays for the n-th entry of the parent match. */
import type { Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { SeasonParticipant } from '../match-participants/values.ts';

/** What a participant plays for. */
export type Represented = Pick<
  SeasonParticipant,
  'type' | 'teamId' | 'representsTeamId' | 'representsCountry' | 'name' | 'athleteId'
> & {
  readonly id: string;
};

const teamOf = ({ teamId, representsTeamId }: Represented): string | null => representsTeamId ?? teamId;

/** Whether both name a team, or otherwise a country, and these differ. Names are not compared, because their spelling varies. */
function playsForOther(player: Represented, side: Represented): boolean {
  const [own, expected] = [teamOf(player), teamOf(side)];
  if (own !== null && expected !== null) return own !== expected;
  const [country, expectedCountry] = [player.representsCountry, side.representsCountry];
  return country !== null && expectedCountry !== null && country !== expectedCountry;
}

function sideViolation(player: Represented | undefined, sides: readonly (Represented | null)[], place: number, pointer: string) {
  const side = sides[place];
  if (!player) return null;
  const label = player.name === null ? player.id : `${player.name} (${player.id})`;
  if (player.type === 'TEAM' && sides.some((each) => each?.id === player.id))
    return {
      pointer,
      code: 'side_of_parent',
      detail: `The participant ${label} is a side of the parent match. Enter the players that represent it.`,
    };
  if (!side || !playsForOther(player, side)) return null;
  const detail = `The participant ${label} does not represent entry ${place + 1} of the parent match. Enter the sides in the order of the parent match.`;
  return { pointer, code: 'other_side', detail };
}

interface Entered {
  readonly participantId?: string | null | undefined;
}

/** The participants of the entries of a match in program order; null for an entry without one. */
async function readSides(queryable: Queryable, matchId: string): Promise<(Represented | null)[]> {
  const rows = await queryable.query<{ side: Represented | null }>(sql`/* matches.sidesOfParent */
    select case when p.id is not null then jsonb_build_object('id', p.id, 'type', p.type, 'teamId', p.team_id, 'athleteId', p.athlete_id,
      'name', p.name, 'representsTeamId', p.represents_team_id, 'representsCountry', p.represents_country) end as side
    from match_participant e left join participant p on p.id = e.participant_id where e.match_id = ${matchId} order by e.ordinal`);
  return rows.map(({ side }) => side);
}

/**
 * Violations of the entries of a sub-match that play for another side of the parent match, or are a side of it. `entries` are all entries in
 * program order, `pointers` those of their participants. Null as a parent: none.
 */
export async function subMatchSideViolations(
  queryable: Queryable,
  parentId: string | null,
  entries: readonly Entered[],
  participants: ReadonlyMap<string, SeasonParticipant>,
  pointers: readonly string[],
): Promise<(Violation | null)[]> {
  if (parentId === null || entries.every(({ participantId }) => !participantId)) return [];
  const sides = await readSides(queryable, parentId);
  return entries.map(({ participantId }, place) => {
    const row = participants.get(participantId ?? '');
    return sideViolation(row && { ...row, id: participantId ?? '' }, sides, place, pointers[place] ?? '');
  });
}
