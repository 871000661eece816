/** Reads a league season (openfootball/football.json) as clubs, their teams, a competition, a season and its matches. */
import { openClubs, type Club } from './club-book.ts';
import { adjustmentDrafts, type Deduction } from './deductions.ts';
import { readFootball, readTitle, resultOf, startTimeOf, type Fixture } from './football-file.ts';
import { keyOf } from './key.ts';
import { step, stepOfSeason, type Draft, type Ids, type Plan, type Step } from './plan.ts';
import type { ExternalId, Rejection } from './row.ts';
import { matchdayOf, roundInPhase } from './rounds.ts';
import { phaseOf, readPhases, splitStage, type Split } from './season-phases.ts';

const scheme = 'OPENFOOTBALL';

export interface SeasonOptions {
  /** Text of clubs.csv, for alternative club names. */
  readonly clubs: string | null;
  /** The league's country, as openfootball/clubs names its files: `eng`. */
  readonly country: string;
  /** Null: goal difference, for a new competition only. */
  readonly tieBreak: 'goal-difference' | 'head-to-head' | null;
  /** Points for a win, a draw and a loss; null for 3-1-0. */
  readonly points: readonly [number, number, number] | null;
  /** The results of the regular rounds that count after a split. */
  readonly split: Split | null;
  readonly deductions: readonly Deduction[];
  /** Time zone of the times in the file; without it matches only have days. */
  readonly timeZone: string | null;
}

/** Leagues whose openfootball code differs from that of the country file. */
const leagues: Readonly<Record<string, string>> = { en: 'eng', sco: 'sco', uk: 'eng' };

/** The country of a league from its file name, `2018-19_en.1.json` or `en.1.json`; empty when the name has no country. */
export function leagueOfFile(name: string): string {
  const [, code = ''] = /(?:^|[_-])([a-z]{2,3})\.\d+\.json$/.exec(name) ?? [];
  return leagues[code] ?? code;
}

/** Two teams meet once at each home ground. If they meet again (as in Scotland), the second match has a separate key. */
function matchDrafts(
  fixtures: readonly Fixture[],
  season: ExternalId,
  matchOf: (fixture: Fixture, ids: Ids) => object,
): (Draft | Rejection)[] {
  const times = new Map<string, number>();
  const places = new Map<string, string>();
  return fixtures.map((fixture) => {
    const pair = fixture.teams.map(keyOf).join('/');
    const meeting = `${pair} ${fixture.date}`;
    const known = places.get(meeting);
    if (known !== undefined)
      return { place: fixture.place, label: fixture.teams.join(' – '), reasons: [`the same match as ${known}`] };
    places.set(meeting, fixture.place);
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

/** The stage after a split, which refers to the stage of the regular rounds. */
const splitStep = (season: ExternalId, phases: readonly string[], split: Split): Step =>
  stepOfSeason('split', season, 'stages', [
    {
      place: 'file',
      label: phases.join(', '),
      externalId: { scheme, value: `${season.value}/split` },
      members: (ids) => ({ ...splitStage(phases, split, ids.of('stages', `${season.value}/league`)) }),
    },
  ]);

/**
 * Reads the text of a season.
 * @throws {Error} when the text does not have the format of football.json, or an option is invalid.
 */
export function readSeason(text: string, options: SeasonOptions): Plan {
  const { name, fixtures, rejected } = readFootball(text);
  const [first] = fixtures;
  if (!first) throw new Error('The file has no match that can be read');
  const phases = readPhases(fixtures, options.split);
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
  const [win, draw, loss] = options.points ?? [];
  const rankingRules = {
    ruleSet: options.tieBreak === 'head-to-head' ? 'FOOTBALL_HEAD_TO_HEAD' : 'FOOTBALL',
    ...(options.points !== null && { points: { win, draw, loss } }),
  };
  // Rules that the organizer changed later stay, unless the options name rules.
  const areRulesGiven = options.tieBreak !== null || options.points !== null;
  const rules = areRulesGiven ? { members: { rankingRules }, initial: {} } : { members: {}, initial: { rankingRules } };
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
  const single = (id: ExternalId, label: string, members: Draft['members'], initial = {}): Draft[] => [
    { place: 'file', label, externalId: id, members, initial },
  ];
  const matchOf = (fixture: Fixture, ids: Ids): object => {
    const startTime = startTimeOf(fixture, options.timeZone);
    const participantIds = [participantOf(fixture.teams[0], ids), participantOf(fixture.teams[1], ids)] as const;
    return {
      seasonId: ids.of('seasons', season.value),
      stageId: ids.of(
        phaseOf(fixture) === null ? 'stages' : 'split',
        `${season.value}/${phaseOf(fixture) === null ? 'league' : 'split'}`,
      ),
      ...(phaseOf(fixture) !== null && { group: phaseOf(fixture) }),
      ...(fixture.round !== '' && { round: fixture.round }),
      ...(matchdayOf(roundInPhase(fixture.round)) !== null && { matchday: matchdayOf(roundInPhase(fixture.round)) }),
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
        single(
          competition,
          title.competition,
          () => ({
            name: title.competition,
            sport: 'FOOTBALL',
            discipline: 'ASSOCIATION',
            type: 'LEAGUE',
            category: 'MEN',
            country,
            ...rules.members,
            status: 'PUBLISHED',
          }),
          rules.initial,
        ),
      ),
      step(
        'seasons',
        '/competitions/seasons',
        single(
          season,
          title.season,
          (ids) => ({
            competitionId: ids.of('competitions', competition.value),
            name: title.season,
            startDate: days[0],
            endDate: days.at(-1),
            ...rules.members,
            status: 'IN_PROGRESS',
          }),
          rules.initial,
        ),
      ),
      stepOfSeason(
        'stages',
        season,
        'stages',
        single({ scheme, value: `${season.value}/league` }, 'League', () => ({ name: 'League', type: 'LEAGUE' })),
      ),
      ...(options.split === null || phases.length === 0 ? [] : [splitStep(season, phases, options.split)]),
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
