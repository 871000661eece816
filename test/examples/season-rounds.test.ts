/** The names of rounds that a season import accepts, and those that it rejects before anything is sent. */
import { describe, expect, test } from '@jest/globals';
import { RejectedFile } from '../../examples/import/problem.ts';
import { readSeason } from '../../examples/import/season.ts';
import { readWorldCup } from '../../examples/import/worldcup.ts';
import type { Split } from '../../examples/import/season-phases.ts';
import { rowsOf } from './plan-rows.ts';

const match = (team1: string, team2: string, round: string | number, date = '2018-08-11') => ({ round, date, team1, team2 });
const season = (split: Split | null, ...matches: object[]) =>
  readSeason(JSON.stringify({ name: 'League 2018/19', matches }), {
    clubs: null,
    country: 'de',
    tieBreak: null,
    points: null,
    split,
    deductions: [],
    timeZone: null,
  });
const placeOf = (round: string | number, split: Split | null = null): unknown =>
  rowsOf(season(split, match('A', 'B', round)), 'matches').byKey['league/2018-19/a/b'];

test.each([
  ['Matchday 7', 7],
  ['matchday 7', 7],
  ['Round 12', 12],
  ['Spieltag 7', 7],
  ['7. Spieltag', 7],
  ['Week 7', 7],
  ['Gameweek 7', 7],
  ['Journée 7', 7],
  ['7e journée', 7],
  ['Giornata 7', 7],
  ['Jornada 7', 7],
  ['7ª Jornada', 7],
  ['Regular Season, Matchday 7', 7],
  ['Regular Season - Round 7', 7],
  ['7', 7],
  [7, 7],
])('%j is a regular round with a number', (round, matchday) => {
  expect(placeOf(round)).toMatchObject({ stageId: 'stages league/2018-19/league', round: String(round), matchday });
});

test.each(['2018-08-11', '11.08.2018', '11/08/18', 'Aug 11', 'Sat Aug 11', 'Saturday, 11 August 2018', 'August 11, 2018', ''])(
  '%j is a regular round without a number',
  (round) => {
    const place = placeOf(round);
    expect(place).toMatchObject({ stageId: 'stages league/2018-19/league' });
    expect(place).not.toHaveProperty('matchday');
  },
);

test.each([
  ['Championship, Matchday 34', 'Championship'],
  ['Meisterrunde, Spieltag 23', 'Meisterrunde'],
  ['Play-offs, Round 1', 'Play-offs'],
  ['Relegation - Matchday 34', 'Relegation'],
])('%j is a round of the phase %j', (round, group) => {
  expect(placeOf(round, 'all')).toMatchObject({ stageId: 'split league/2018-19/split', group });
  expect(() => placeOf(round)).toThrow(`The season is split: it has the phases ${group}.`);
});

describe('a round that cannot be placed rejects the file', () => {
  test.each([
    'Meisterrunde 1',
    'Championship Round 2',
    'Relegation Group',
    'Apertura',
    'Clausura 3',
    'Group A',
    'First round',
    '1st Round',
  ])('%j', (round) => {
    for (const split of [null, 'all'] as const) {
      const read = () => season(split, match('A', 'B', 'Matchday 1'), match('B', 'A', round, '2019-01-02'));
      expect(read).toThrow(RejectedFile);
      expect(read).toThrow(`These rounds cannot be placed: ${round}. Rename`);
    }
  });

  test('with all of its rounds, and what to do', () => {
    const rounds = ['Matchday 1', 'Meisterrunde 1', 'Championship Round 2', 'Relegation Group'];
    const matches = rounds.map((round, index) => match('A', 'B', round, `2018-0${index + 1}-01`));
    expect(() => season(null, ...matches)).toThrow(
      'These rounds cannot be placed: Meisterrunde 1, Championship Round 2, Relegation Group. Rename rounds of the regular season to ' +
        '"Matchday 1". Rename rounds after a split to "PHASE, Matchday 34", such as "Championship, Matchday 34", and add --split all, ' +
        '--split halved-up, --split halved-down.',
    );
  });
});

test.each(['Final', 'Semi-finals', 'Play-offs', 'Round of 16', 'Quarter-finals'])('%j is a knock-out round', (round) => {
  expect(() => placeOf(round)).toThrow(`The file has knock-out rounds (${round}).`);
});

describe('the years of a season', () => {
  const thisYear = Temporal.Now.plainDateISO().year;
  const inYears = (...years: number[]) =>
    years.map((year, index) => match(`Team ${index}`, `Team ${index + 1}`, 'Matchday 1', `${year}-08-11`));

  test.each([
    [[2081, 2081]],
    [[1810, 1810]],
    [[1849, 1849]],
    [[thisYear + 2, thisYear + 2]],
    [[2081, 2081, 2018]],
    [[1810, 1810, 1810, 2018]],
  ])('%j are rejected', (years) => {
    const message = `The season starts in ${years[0]}. Matches from 1850 to ${thisYear + 1} can be imported. Correct the dates in the file.`;
    expect(() => season(null, ...inYears(...years))).toThrow(new RejectedFile(message));
    const cup = JSON.stringify({ name: 'World Cup', matches: inYears(...years).map((each) => ({ ...each, group: 'Group A' })) });
    expect(() => readWorldCup(cup, { decisions: [], successors: false })).toThrow(RejectedFile);
  });

  test.each([[[1888, 1889]], [[1850, 1850]], [[thisYear + 1, thisYear + 1]], [[thisYear + 1, thisYear + 2, thisYear + 2]]])(
    '%j are accepted',
    (years) => {
      expect(Object.keys(rowsOf(season(null, ...inYears(...years)), 'matches').byKey)).toHaveLength(years.length);
    },
  );
});
