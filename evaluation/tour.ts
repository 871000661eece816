/** A temporal hold-out of the talent score on real data: returning riders among the top 20 of the next Tour de France. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Random } from '../platform/random.ts';
import type { PlayedSeason } from '../subgraphs/scouting/talent/compared-values.ts';
import { ablationRankings } from './ablation.ts';
import { equalWeights, performanceOf, computeTalentScores, type ScoredAthlete } from './careers/talent-scores.ts';
import { reportOf, type Candidate, type Question, type Report } from './report.ts';

/** A row of the final general classification. */
interface Finish {
  readonly race: string;
  readonly year: number;
  readonly rank: number;
  readonly rider: string;
  readonly seconds: number;
  readonly stages: number;
}

/** Path of the file in the folder of open data. */
export const tourFile = join('cycling', 'tdf_gc.csv');

type Line = Readonly<Record<'race' | 'year' | 'rank' | 'rider' | 'total_seconds' | 'stages', string>>;

/** Reads the file. Throws if it does not exist. */
export function readTour(folder: string): Finish[] {
  const lines = parse<Line>(readFileSync(join(folder, tourFile), 'utf8'), { columns: true });
  return lines.map(({ race, year, rank, rider, total_seconds: seconds, stages }) => ({
    race,
    year: Number(year),
    rank: Number(rank),
    rider: rider.toUpperCase(),
    seconds: Number(seconds),
    stages: Number(stages),
  }));
}

const depth = 100;
/** The score compares two editions. */
const historyYears = 2;

function seasonOf({ race, year, seconds, stages }: Finish): PlayedSeason {
  return {
    sport: 'CYCLING',
    seasonId: `${race} ${year}`,
    competitionId: race,
    eventCode: null,
    source: 'PROVIDER',
    matchesPlayed: stages,
    minutesPlayed: null,
    matchesTimed: null,
    asOf: `${year}-07-31`,
    metrics: [{ key: 'gcTimeMs', value: seconds * 1000 }],
  };
}

/** A question with its rankings by score and by baselines, and those by score and its variants. */
interface EditionQuestions {
  readonly baselines: Question;
  readonly ablation: Question;
}

function questionOf(race: string, year: number, finishes: readonly Finish[], random: Random): EditionQuestions[] {
  const known = finishes.filter((finish) => finish.race === race && finish.year <= year);
  const next = new Map(
    finishes.filter((finish) => finish.race === race && finish.year === year + 1).map((each) => [each.rider, each]),
  );
  const byRider = Map.groupBy(known, ({ rider }) => rider);
  const last = known.filter((finish) => finish.year === year);
  const returning = last.filter(({ rider }) => next.has(rider));
  if (known.length === last.length || returning.length === 0) return [];

  // For a rider without a recent edition, the last one counts, as in the platform.
  const riders = [...byRider].map(([id, all]): ScoredAthlete => ({
    id,
    sex: race === 'women' ? 'FEMALE' : 'MALE',
    ageBand: null,
    position: null,
    level: null,
    verified: false,
    seasons: all
      .toSorted((one, other) => other.year - one.year)
      .slice(0, historyYears)
      .map(seasonOf),
  }));
  const scores = computeTalentScores(riders, 'CYCLING');
  const equal = computeTalentScores(riders, 'CYCLING', equalWeights);
  const candidate = ({ rider }: Finish): Candidate => {
    const rank = next.get(rider)?.rank ?? Infinity;
    return { gain: rank <= 3 ? 3 : rank <= 10 ? 2 : rank <= 20 ? 1 : 0, mutual: null, quarter: null, sex: null };
  };
  const by = (rank: (finish: Finish) => number): Finish[] =>
    returning.toSorted((one, other) => rank(other) - rank(one) || (one.rider < other.rider ? -1 : 1)).slice(0, depth);
  const firstYearOf = ({ rider }: Finish): number => Math.min(...(byRider.get(rider) ?? []).map((finish) => finish.year));
  const editions = ({ rider }: Finish): number => byRider.get(rider)?.length ?? 0;
  const answers = new Map([
    ['ours', by(({ rider }) => scores.get(rider)?.talentScore ?? 0)],
    ['performance alone', by(({ rider }) => performanceOf(scores.get(rider)))],
    ['last season', by(({ rank }) => -rank)],
    ['popularity', by(editions)],
    ['newest first', by(firstYearOf)],
    ['filter only', by(() => 0)],
    ['random', random.sample(known, depth)],
  ]);
  const ablation = ablationRankings(scores, equal, (ranked, rank) => by(({ rider }) => rank(ranked.get(rider))));
  const question = (rankings: ReadonlyMap<string, readonly Finish[]>): Question => ({
    candidates: returning.length,
    relevant: returning.map(candidate).filter(({ gain }) => gain > 0),
    rankings: new Map([...rankings].map(([name, listed]) => [name, listed.map(candidate)])),
  });
  return [{ baselines: question(answers), ablation: question(ablation) }];
}

/** The reports on all editions with a previous and a next one, against baselines and against variants of the score. */
export function talentOfTour(finishes: readonly Finish[], random: Random): Report[] {
  const editions = [...new Set(finishes.map(({ race, year }) => JSON.stringify([race, year])))].map(
    (text) => JSON.parse(text) as [race: string, year: number],
  );
  const questions = editions.flatMap(([race, year]) => questionOf(race, year, finishes, random.fork(`${race} ${year}`)));
  const baselines = questions.map((each) => each.baselines);
  const ablation = questions.map((each) => each.ablation);
  return [
    reportOf('tour', 'Top 20 of the next Tour de France, temporal hold-out, real data', baselines, random),
    reportOf('tour ablation', 'Ablation of the talent score, Tour de France, real data', ablation, random),
  ];
}
