/** The report of an evaluation: the measures of each ranking over all questions. */
import type { Random } from '../platform/random.ts';
import {
  estimate,
  estimateOf,
  evenness,
  exposures,
  meanOf,
  ndcgAt,
  precisionAt,
  recallAt,
  type Estimate,
  type Gain,
  type GroupExposure,
} from './measures.ts';

/** A candidate of a ranking. */
export interface Candidate {
  readonly gain: Gain;
  /** Whether both sides prefer each other to most alternatives. Null if only one side has preferences. */
  readonly mutual: boolean | null;
  /** Groups for fairness. Null if unknown or irrelevant for the question. */
  readonly quarter: number | null;
  readonly sex: string | null;
}

/** A question with its relevant candidates, and the first hundred of each ranking. */
export interface Question {
  /** Number of candidates. */
  readonly candidates: number;
  readonly relevant: readonly Candidate[];
  readonly rankings: ReadonlyMap<string, readonly Candidate[]>;
}

export interface Fairness {
  readonly evenness: Estimate;
  /** Exposure by group. 1 is proportional. */
  readonly exposures: Readonly<Record<string, number>>;
}

export interface Row {
  readonly ranking: string;
  readonly precision: Estimate;
  readonly ndcg: Estimate;
  readonly recall: Estimate;
  readonly reciprocity: Estimate | null;
  readonly quarters: Fairness | null;
  readonly sexes: Fairness | null;
  /** Difference of the nDCG to the first ranking, per question. Null for the first ranking. */
  readonly behind: Estimate | null;
}

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly questions: number;
  /** Mean number of candidates per question. */
  readonly candidates: number;
  /** Mean number of relevant candidates per question. */
  readonly relevant: number;
  readonly rows: readonly Row[];
}

const firstPlaces = 10;
const recallPlaces = 100;

const gainsOf = (candidates: readonly Candidate[]): Gain[] => candidates.map(({ gain }) => gain);

const known = <Value>(values: readonly (Value | null)[]): Value[] => values.filter((each) => each !== null);

/** Null if the relevant candidates have fewer than two known groups. */
function fairness(
  questions: readonly Question[],
  ranking: string,
  groupOf: (candidate: Candidate) => string | null,
  random: Random,
): Fairness | null {
  const groups = [...new Set(known(questions.flatMap(({ relevant }) => relevant.map(groupOf))))].sort();
  if (groups.length < 2) return null;
  const count = (candidates: readonly Candidate[]): number[] => {
    const of = candidates.map(groupOf);
    return groups.map((group) => of.filter((each) => each === group).length);
  };
  const all = questions.map(({ relevant, rankings }): GroupExposure => ({
    listed: count((rankings.get(ranking) ?? []).slice(0, firstPlaces)),
    relevant: count(relevant),
  }));
  const each = exposures(all);
  return {
    evenness: estimateOf(all, evenness, random),
    exposures: Object.fromEntries(groups.map((group, index) => [group, each[index] ?? 0])),
  };
}

function rowsOf(questions: readonly Question[], random: Random): Row[] {
  const rankings = [...(questions[0]?.rankings.keys() ?? [])];
  const answersOf = (ranking: string): (readonly Candidate[])[] => questions.map(({ rankings }) => rankings.get(ranking) ?? []);
  const ndcgOf = (ranking: string): number[] =>
    answersOf(ranking).map((answer, index) => ndcgAt(firstPlaces, gainsOf(answer), gainsOf(questions[index]?.relevant ?? [])));
  const ours = ndcgOf(rankings[0] ?? '');
  return rankings.map((ranking, place) => {
    const answers = answersOf(ranking);
    // Each measure has its own random source, so that another row does not change the others.
    const estimated = (measure: string, numbers: readonly number[]): Estimate =>
      estimate(numbers, random.fork(`${ranking} ${measure}`));
    const ndcg = ndcgOf(ranking);
    const mutual = answers.flatMap((answer) => {
      const flags = known(answer.slice(0, firstPlaces).map((each) => each.mutual));
      return flags.length === 0 ? [] : [flags.filter(Boolean).length / flags.length];
    });
    return {
      ranking,
      precision: estimated(
        'precision',
        answers.map((answer) => precisionAt(firstPlaces, gainsOf(answer))),
      ),
      ndcg: estimated('ndcg', ndcg),
      recall: estimated(
        'recall',
        answers.map((answer, index) => recallAt(recallPlaces, gainsOf(answer), questions[index]?.relevant.length ?? 0)),
      ),
      reciprocity: mutual.length === 0 ? null : estimated('reciprocity', mutual),
      quarters: fairness(
        questions,
        ranking,
        ({ quarter }) => (quarter === null ? null : `Q${quarter}`),
        random.fork(`${ranking} quarters`),
      ),
      sexes: fairness(questions, ranking, ({ sex }) => sex, random.fork(`${ranking} sexes`)),
      behind:
        place === 0
          ? null
          : estimated(
              'behind',
              ours.map((each, index) => each - (ndcg[index] ?? 0)),
            ),
    };
  });
}

/** Creates the report of questions with the same rankings, ours first. Throws RangeError without questions. */
export function reportOf(name: string, title: string, questions: readonly Question[], random: Random): Report {
  return {
    name,
    title,
    questions: questions.length,
    candidates: meanOf(questions.map(({ candidates }) => candidates)),
    relevant: meanOf(questions.map(({ relevant }) => relevant.length)),
    rows: rowsOf(questions, random.fork(name)),
  };
}
