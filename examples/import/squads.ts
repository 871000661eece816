/** Reads the squads of a World Cup (openfootball/worldcup.json) as national teams, athletes and their memberships. */
import { countryOfFifaCode } from './countries.ts';
import { isRecord } from './problem.ts';
import { externalId, externalIdOf, sourceOf, type Rejection, type Row, type Source } from './row.ts';
import { parseJson } from './source-file.ts';

const scheme = 'OPENFOOTBALL';
const positions = ['GK', 'DF', 'MF', 'FW'];

/** A player of a squad: becomes a membership once the IDs of team and athlete are known. */
export interface Player {
  readonly athlete: Row;
  /** External ID of the national team. */
  readonly team: string;
  readonly shirtNumber: number;
  readonly position: string;
}

export interface Squads {
  readonly teams: Source;
  readonly athletes: Source;
  readonly players: readonly Player[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** True for a YYYY-MM-DD that is a calendar day. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function teamRow(squad: Record<string, unknown>, index: number): Row | Rejection {
  const name = textOf(squad.name);
  const code = textOf(squad.fifa_code);
  const country = countryOfFifaCode(code);
  const id = externalId(scheme, 'world-cup', code);
  const place = code === '' ? `squad ${index + 1}` : code;
  if (name === '' || country === null || id === null)
    return {
      place,
      label: name,
      reasons: [
        ...(name === '' ? ['has no name'] : []),
        ...(country === null ? [`unknown FIFA code: ${code || '(empty)'}`] : []),
      ],
    };
  const item = {
    name,
    shortName: code,
    sport: 'FOOTBALL',
    discipline: 'ASSOCIATION',
    category: 'MEN',
    ageGroup: 'SENIOR',
    country,
    externalIds: [id] as const,
  };
  return { place, label: name, item };
}

function player(team: Row, entry: unknown, index: number): Player | Rejection {
  const facts = isRecord(entry) ? entry : {};
  const { shortName: code, country } = team.item;
  const label = textOf(facts.name);
  const dateOfBirth = textOf(facts.date_of_birth);
  const position = textOf(facts.pos);
  const shirtNumber = typeof facts.number === 'number' ? facts.number : 0;
  const place = `${team.place} ${shirtNumber > 0 ? shirtNumber : `player ${index + 1}`}`;
  // The name identifies the player: shirt numbers change hands when the squad changes.
  const id = externalId(scheme, 'world-cup', team.place, label);
  const reasons = [
    ...(id === null ? ['has no name'] : []),
    ...(isDay(dateOfBirth) ? [] : [`date of birth is not a calendar day: ${dateOfBirth || '(empty)'}`]),
    ...(positions.includes(position) ? [] : [`unknown position: ${position || '(empty)'}`]),
    ...(Number.isInteger(shirtNumber) && shirtNumber > 0 ? [] : ['has no shirt number']),
  ];
  if (reasons.length > 0 || id === null) return { place, label, reasons };
  const item = {
    displayName: label,
    dateOfBirth,
    sex: 'MALE',
    nationalities: [country],
    sportingNationality: code,
    sports: [{ sport: 'FOOTBALL', discipline: 'ASSOCIATION', positions: [position], primary: true, level: 'INTERNATIONAL' }],
    externalIds: [id] as const,
    status: 'ACTIVE',
  };
  return { athlete: { place, label, item }, team: externalIdOf(team), shirtNumber, position };
}

/**
 * Reads the text of 2026.squads.json.
 * @throws {Error} when the text is not a JSON list of squads.
 */
export function readSquads(text: string): Squads {
  const squads: unknown = parseJson(text);
  if (!Array.isArray(squads)) throw new Error('The file is not a list of squads');
  const entries = squads.map((squad: unknown, index) => {
    const facts = isRecord(squad) ? squad : {};
    return { team: teamRow(facts, index), players: Array.isArray(facts.players) ? facts.players : [] };
  });
  const teams = sourceOf(entries.map(({ team }) => team));
  const known = new Set<unknown>(teams.rows);
  const mapped = entries.flatMap(({ team, players }) =>
    players.map((entry: unknown, index) =>
      'item' in team && known.has(team)
        ? player(team, entry, index)
        : {
            place: `${team.place} player ${index + 1}`,
            label: isRecord(entry) ? textOf(entry.name) : '',
            reasons: ['the squad was rejected'],
          },
    ),
  );
  const athletes = sourceOf(mapped.map((entry) => ('athlete' in entry ? entry.athlete : entry)));
  const written = new Set<unknown>(athletes.rows);
  return { teams, athletes, players: mapped.filter((entry) => 'athlete' in entry).filter(({ athlete }) => written.has(athlete)) };
}

/** Memberships of the players whose team and athlete were written; the others are rejected. IDs are by external ID. */
export function memberships(
  players: readonly Player[],
  teamIds: ReadonlyMap<string, string>,
  athleteIds: ReadonlyMap<string, string>,
): Source {
  const rows: Row[] = [];
  const rejected: Rejection[] = [];
  for (const { athlete, team, shirtNumber, position } of players) {
    const { place, label } = athlete;
    const personId = athleteIds.get(externalIdOf(athlete));
    const teamId = teamIds.get(team);
    if (personId === undefined || teamId === undefined) {
      rejected.push({ place, label, reasons: [`the ${teamId === undefined ? 'team' : 'athlete'} was not written`] });
      continue;
    }
    const what = {
      personType: 'ATHLETE',
      personId,
      teamId,
      role: 'PLAYER',
      type: 'NATIONAL',
      shirtNumber,
      positions: [position],
    };
    rows.push({ place, label, item: { ...what, externalIds: athlete.item.externalIds } });
  }
  return { rows, rejected };
}
