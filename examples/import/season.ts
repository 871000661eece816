/** Reads a league season (openfootball/football.json) as clubs, their teams, a competition, a season and its matches. */
import { openClubs, type Club } from './club-book.ts';
import { matchdayOf, readFootball, readTitle, resultOf, startTimeOf, type Fixture } from './football-file.ts';
import { keyOf } from './key.ts';
import { step, stepOfSeason, type Draft, type Ids, type Plan } from './plan.ts';
import type { ExternalId, Rejection } from './row.ts';

const scheme = 'OPENFOOTBALL';

/** Points deducted from a team, with the reason. */
export interface Deduction {
  readonly team: string;
  readonly points: number;
  readonly reason: string;
}

export interface SeasonOptions {
  /** Text of clubs.csv, for alternative club names. */
  readonly clubs: string | null;
  /** The league's country, as openfootball/clubs names its files: `eng`. */
  readonly country: string;
  readonly tieBreak: 'goal-difference' | 'head-to-head';
  readonly deductions: readonly Deduction[];
  /** Time zone of the times in the file; without it matches only have days. */
  readonly timeZone: string | null;
}

/**
 * Reads `TEAM=POINTS:REASON`.
 * @throws {Error} with the part that is missing.
 */
export function readDeduction(text: string): Deduction {
  const [, team, points, reason] = /^\s*(.+?)\s*=\s*(\d+)\s*:\s*(.*\S)\s*$/.exec(text) ?? [];
  if (team === undefined || points === undefined || reason === undefined || Number(points) === 0)
    throw new Error(`--deduct is TEAM=POINTS:REASON, such as "Everton FC=8:Breach of the spending rules", not ${text}`);
  return { team, points: Number(points), reason };
}

/** Leagues whose openfootball code differs from that of the country file. */
const leagues: Readonly<Record<string, string>> = { en: 'eng', sco: 'sco', uk: 'eng' };

/** The country of a league from its file name, `2018-19_en.1.json` or `en.1.json`; empty when the name has no country. */
export function leagueOfFile(name: string): string {
  const [, code = ''] = /(?:^|[_-])([a-z]{2,3})\.\d+\.json$/.exec(name) ?? [];
  return leagues[code] ?? code;
}

/** Two teams meet once at each home ground. If they meet again (as in Scotland), the second match has a separate key. */
function matchDrafts(fixtures: readonly Fixture[], season: ExternalId, matchOf: (fixture: Fixture, ids: Ids) => object): Draft[] {
  const times = new Map<string, number>();
  return fixtures.map((fixture) => {
    const pair = fixture.teams.map(keyOf).join('/');
    const time = (times.get(pair) ?? 0) + 1;
    times.set(pair, time);
    return {
      place: fixture.place,
      label: fixture.teams.join(' – '),
      externalId: { scheme, value: `${season.value}/${pair}${time > 1 ? `/${time}` : ''}` },
      members: (ids) => ({ ...matchOf(fixture, ids) }),
    };
  });
}

/** The deductions as rows; a deduction for a team that is not in the season is rejected. */
function adjustmentDrafts(
  deductions: readonly Deduction[],
  clubOf: (name: string) => Club,
  season: ExternalId,
  playing: ReadonlySet<string>,
): (Draft | Rejection)[] {
  const times = new Map<string, number>();
  return deductions.map(({ team, points, reason }) => {
    const club = clubOf(team).externalId.value;
    const place = `--deduct ${team}`;
    if (!playing.has(club)) return { place, label: team, reasons: ['does not play in this season'] };
    const time = (times.get(club) ?? 0) + 1;
    times.set(club, time);
    return {
      place,
      label: team,
      externalId: { scheme, value: `${season.value}/deduction/${club}/${time}` },
      members: (ids) => ({ participantId: ids.of('participants', `${season.value}/${club}`), points: -points, reason }),
    };
  });
}

/**
 * Reads the text of a season.
 * @throws {Error} when the text does not have the format of football.json, or an option is invalid.
 */
export function readSeason(text: string, options: SeasonOptions): Plan {
  const { name, fixtures, rejected } = readFootball(text);
  const [first] = fixtures;
  if (!first) throw new Error('The file has no match that can be read');
  const clubOf = openClubs(options.clubs, options.country);
  const title = readTitle(name);
  const competition = { scheme, value: keyOf(title.competition) };
  const season = { scheme, value: `${competition.value}/${keyOf(title.season)}` };
  const country = clubOf(first.teams[0]).members.country;
  const names = [...new Set(fixtures.flatMap(({ teams }) => teams))];
  const clubs = [...Map.groupBy(names, (each) => clubOf(each).externalId.value)].map(([, [played = '']]) => ({
    played,
    club: clubOf(played),
  }));
  const playing = new Set(clubs.map(({ club }) => club.externalId.value));
  const days = fixtures.map(({ date }) => date).toSorted();
  const rankingRules = { ruleSet: options.tieBreak === 'head-to-head' ? 'FOOTBALL_HEAD_TO_HEAD' : 'FOOTBALL' };
  const participantOf = (team: string, ids: Ids): string =>
    ids.of('participants', `${season.value}/${clubOf(team).externalId.value}`);
  const isOver = rejected.length === 0 && fixtures.every(({ score }) => score !== null);

  const clubRow = (what: (club: Club, played: string, ids: Ids) => object, prefix = '') =>
    clubs.map(({ club, played }): Draft => ({
      place: 'team',
      label: played,
      externalId: { scheme, value: `${prefix}${club.externalId.value}` },
      members: (ids) => ({ ...what(club, played, ids) }),
    }));
  const single = (id: ExternalId, label: string, members: Draft['members']): Draft[] => [
    { place: 'file', label, externalId: id, members },
  ];
  const matchOf = (fixture: Fixture, ids: Ids): object => {
    const startTime = startTimeOf(fixture, options.timeZone);
    const participantIds = [participantOf(fixture.teams[0], ids), participantOf(fixture.teams[1], ids)] as const;
    return {
      seasonId: ids.of('seasons', season.value),
      stageId: ids.of('stages', `${season.value}/league`),
      ...(fixture.round !== '' && { round: fixture.round }),
      ...(matchdayOf(fixture.round) !== null && { matchday: matchdayOf(fixture.round) }),
      date: fixture.date,
      ...(startTime !== null && { startTime }),
      ...(options.timeZone !== null && { timeZone: options.timeZone }),
      participants: participantIds.map((participantId, side) => ({ participantId, side: side === 0 ? 'HOME' : 'AWAY' })),
      ...(fixture.score !== null && { status: 'FINISHED', result: resultOf(fixture.score, participantIds) }),
    };
  };

  return {
    steps: [
      step(
        'organizations',
        '/organizations',
        clubRow(({ members }) => members),
      ),
      step(
        'teams',
        '/organizations/teams',
        clubRow((club, _, ids) => ({
          name: club.name,
          sport: 'FOOTBALL',
          discipline: 'ASSOCIATION',
          category: 'MEN',
          ageGroup: 'SENIOR',
          organizationId: ids.of('organizations', club.externalId.value),
        })),
      ),
      step(
        'competitions',
        '/competitions',
        single(competition, title.competition, () => ({
          name: title.competition,
          sport: 'FOOTBALL',
          discipline: 'ASSOCIATION',
          type: 'LEAGUE',
          category: 'MEN',
          country,
          rankingRules,
          status: 'PUBLISHED',
        })),
      ),
      step(
        'seasons',
        '/competitions/seasons',
        single(season, title.season, (ids) => ({
          competitionId: ids.of('competitions', competition.value),
          name: title.season,
          startDate: days[0],
          endDate: days.at(-1),
          rankingRules,
          status: 'IN_PROGRESS',
        })),
      ),
      stepOfSeason(
        'stages',
        season,
        'stages',
        single({ scheme, value: `${season.value}/league` }, 'League', () => ({ name: 'League', type: 'LEAGUE' })),
      ),
      stepOfSeason(
        'participants',
        season,
        'participants',
        clubRow(
          (club, played, ids) => ({ type: 'TEAM', teamId: ids.of('teams', club.externalId.value), name: played }),
          `${season.value}/`,
        ),
      ),
      stepOfSeason('adjustments', season, 'adjustments', adjustmentDrafts(options.deductions, clubOf, season, playing)),
      step('matches', '/competitions/matches', [...rejected, ...matchDrafts(fixtures, season, matchOf)]),
    ],
    finished: isOver ? [season.value] : [],
  };
}
