/** A temporal hold-out of the talent score: young athletes among the best of their age one and two years later. */
import { openRandom, type Random } from '../platform/random.ts';
import { ageBandOf } from '../subgraphs/runtime/age-bands.ts';
import { generateCareer, type Career } from './careers/career.ts';
import { ablationRankings } from './ablation.ts';
import { equalWeights, performanceOf, computeTalentScores, type ScoredAthlete } from './careers/talent-scores.ts';
import { percentilesOf } from './synthetic/percentiles.ts';
import { reportOf, type Candidate, type Question, type Report } from './report.ts';

/** Years of the scores, as of 30 June. */
const folds = [2022, 2023, 2024];
/** The ages of emerging talents. */
const ages = [18, 19, 20, 21, 22, 23];
const depth = 100;

/** The data that the platform has of an athlete at the end of a season. */
function scoredAthleteIn(year: number, { id, sex, role, birthYear, verified, years }: Career): ScoredAthlete {
  const seasons = [year, year - 1].flatMap((each) => years.get(each)?.season ?? []);
  const ageBand = ageBandOf(`${birthYear}-12-31`, `${year}-12-31`);
  return { id, sex, ageBand, position: role, level: years.get(year)?.level ?? null, verified, seasons };
}

/** Mean ability in the following two years. */
function abilityAfter(year: number, { years }: Career): number {
  return ((years.get(year + 1)?.ability ?? 0) + (years.get(year + 2)?.ability ?? 0)) / 2;
}

/** The baseline of last season: the mean percentile of the counts per match among athletes of the same role. */
function lastSeason(year: number, careers: readonly Career[]): Map<Career, number> {
  const rates = careers.flatMap((career) => {
    const season = career.years.get(year)?.season ?? null;
    const matches = season?.matchesPlayed ?? 1;
    const counted = season?.metrics.filter(({ key }) => key !== 'matchesPlayed') ?? [];
    return counted.map(({ key, value }) => ({ career, name: `${career.role} ${key}`, rate: value / matches }));
  });
  const found = new Map<Career, number[]>();
  for (const group of Map.groupBy(rates, ({ name }) => name).values())
    percentilesOf(group.map(({ rate }) => rate)).forEach((percentile, place) => {
      const career = group[place]?.career;
      if (career !== undefined) found.set(career, [...(found.get(career) ?? []), percentile]);
    });
  return new Map([...found].map(([career, all]) => [career, all.reduce((sum, each) => sum + each, 0) / all.length]));
}

const byRank = (careers: readonly Career[], rank: (career: Career) => number): Career[] =>
  careers.toSorted((one, other) => rank(other) - rank(one) || (one.id < other.id ? -1 : 1)).slice(0, depth);

/** The questions of a year: the rankings by score and by baselines, and those by score and its variants. */
interface Questions {
  readonly baselines: readonly Question[];
  readonly ablation: readonly Question[];
}

function questionsOf(year: number, careers: readonly Career[], random: Random): Questions {
  const adults = careers.filter(({ birthYear }) => year - birthYear >= 18);
  const scored = adults.map((career) => scoredAthleteIn(year, career));
  const scores = computeTalentScores(scored, 'FOOTBALL');
  const equal = computeTalentScores(scored, 'FOOTBALL', equalWeights);
  const groups = ages.flatMap((age) => (['MALE', 'FEMALE'] as const).map((sex) => ({ age, sex })));
  const questions = groups.flatMap(({ age, sex }) => {
    const group = adults.filter((career) => career.sex === sex && year - career.birthYear === age);
    const best = byRank(group, (career) => abilityAfter(year, career)).slice(0, Math.round(group.length / 10));
    if (best.length === 0) return [];
    const third = best.length / 3;
    const places = new Map(best.map((career, place) => [career, place]));
    const candidate = (career: Career): Candidate => {
      const place = places.get(career);
      const gain = place === undefined ? 0 : place < third ? 3 : place < 2 * third ? 2 : 1;
      return { gain, mutual: null, quarter: career.quarter, sex: null };
    };
    const table = lastSeason(year, group);
    const answers = new Map([
      ['ours', byRank(group, ({ id }) => scores.get(id)?.talentScore ?? 0)],
      ['performance alone', byRank(group, ({ id }) => performanceOf(scores.get(id)))],
      ['last season', byRank(group, (career) => table.get(career) ?? 50)],
      ['popularity', byRank(group, ({ followers }) => followers)],
      ['newest first', byRank(group, ({ registered }) => registered)],
      ['filter only', byRank(group, () => 0)],
      ['random', random.fork(`${year} ${age} ${sex}`).sample(adults, depth)],
    ]);
    const ablation = ablationRankings(scores, equal, (by, rank) => byRank(group, ({ id }) => rank(by.get(id))));
    const question = (rankings: ReadonlyMap<string, readonly Career[]>): Question => ({
      candidates: group.length,
      relevant: best.map(candidate),
      rankings: new Map([...rankings].map(([name, listed]) => [name, listed.map(candidate)])),
    });
    return [{ baselines: question(answers), ablation: question(ablation) }];
  });
  return { baselines: questions.map((each) => each.baselines), ablation: questions.map((each) => each.ablation) };
}

/** The reports on synthetic careers, against baselines and against variants of the score. They are deterministic for a seed. */
export function talentOfCareers(seed: string, count: number): Report[] {
  const random = openRandom(seed).fork('careers');
  const careers = Array.from({ length: count }, (_, index) => generateCareer(random.fork(`career ${index}`)));
  const years = folds.map((year) => questionsOf(year, careers, random));
  const baselines = years.flatMap((each) => each.baselines);
  const ablation = years.flatMap((each) => each.ablation);
  return [
    reportOf('talent', 'Future best of their age, temporal hold-out, synthetic careers', baselines, random),
    reportOf('talent ablation', 'Ablation of the talent score, synthetic careers', ablation, random),
  ];
}
