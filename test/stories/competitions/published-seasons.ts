/** Plays league seasons of test/data/football/seasons through the REST API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { dataFolder } from '../../open-data.ts';
import { playLeague, type League } from './leagues.ts';

export interface SeasonMatch {
  readonly round: string;
  readonly date: string;
  readonly sides: readonly [string, string];
  readonly score: readonly [number, number];
}

interface PublishedSeason {
  /** Code → name. */
  readonly teams: ReadonlyMap<string, string>;
  readonly matches: readonly SeasonMatch[];
}

const fieldsOf = (line: string, separator: string): string[] => line.split(separator).map((field) => field.trim());

function matchOf(round: string, date: string, text: string): SeasonMatch {
  const [, home = '', own, theirs, away = ''] = /^(\w+) (\d+)-(\d+) (\w+)$/.exec(text) ?? [];
  return { round, date, sides: [home, away], score: [Number(own), Number(theirs)] };
}

/** Reads a file, such as `scotland-2024-25`. Lines are `CODE = name` and `round | date | CODE 1-0 CODE, …`. */
export function readSeason(name: string): PublishedSeason {
  const lines = readFileSync(join(dataFolder, `football/seasons/${name}.txt`), 'utf8').split('\n');
  const teams = lines.filter((line) => line.includes(' = ')).map((line) => fieldsOf(line, '='));
  const rounds = lines.filter((line) => line.includes(' | ')).map((line) => fieldsOf(line, '|'));
  return {
    teams: new Map(teams.map(([code = '', team = '']) => [code, team])),
    matches: rounds.flatMap(([round = '', date = '', matches = '']) =>
      fieldsOf(matches, ',').map((match) => matchOf(round, date, match)),
    ),
  };
}

export interface PlayedStage {
  readonly stageId: string;
  readonly group?: string;
}

/** A season in progress with the teams of a published one. */
export async function openSeason(owner: Client, { teams, matches }: PublishedSeason, facts: object = {}): Promise<League> {
  const dates = matches.map(({ date }) => date).toSorted();
  return playLeague(owner, [...teams.values()], facts, { startDate: dates[0], endDate: dates.at(-1) });
}

/** Creates all matches with their official results, with one request for each hundred. */
export async function playMatches(
  owner: Client,
  league: League,
  { teams, matches }: PublishedSeason,
  stageOf: (match: SeasonMatch) => PlayedStage,
): Promise<void> {
  const codes = [...teams.keys()];
  const idOf = (code: string): string => league.participants[codes.indexOf(code)] ?? '';
  const items = matches.map((match, index) => ({
    seasonId: league.seasonId,
    ...stageOf(match),
    date: match.date,
    participants: match.sides.map((code) => ({ participantId: idOf(code) })),
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      participants: match.sides.map((code, side) => ({ participantId: idOf(code), score: match.score[side] })),
    },
    externalIds: [{ scheme: 'TEST', value: `${league.seasonId}-${index}` }],
  }));
  for (let start = 0; start < items.length; start += 100) {
    const { body } = await owner.post('/competitions/matches/batch', { items: items.slice(start, start + 100) });
    expect(body.summary).toMatchObject({ failed: 0 });
  }
}

/** The rows of a table as `position team points`, with the matches played where they are given. */
export async function rowsOf(client: Client, query: string, members: readonly string[] = ['points']): Promise<string[]> {
  const { body } = await client.get(`/competitions/rankings?${query}&limit=100`);
  return body.data.map((row: Readonly<Record<string, unknown>> & { readonly participant: { readonly name: string } }) =>
    [row['position'], row.participant.name, ...members.map((member) => row[member])].join(' '),
  );
}

interface TableRow {
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly points: number;
}

/** The rows of a table as published: `1 Flamengo RJ 38 21 8 9 68-48 71`, with matches played, won, drawn, lost, goals and points. */
export async function publishedRows(client: Client, query: string): Promise<string[]> {
  const { body } = await client.get(`/competitions/rankings?${query}&limit=100`);
  return body.data.map(
    ({ position, participant, matchesPlayed, won, draw, lost, scoreFor, scoreAgainst, points }: TableRow) =>
      `${position} ${participant.name} ${matchesPlayed} ${won} ${draw} ${lost} ${scoreFor}-${scoreAgainst} ${points}`,
  );
}
