/** What came of an evaluation: a row for each way of ranking, with intervals, over all its questions. */
import type { Random } from '../platform/random.ts';
import {
  estimate,
  estimateOf,
  evenness,
  exposures,
  ndcgAt,
  precisionAt,
  recallAt,
  type Estimate,
  type Gain,
  type GroupExposure,
} from './measures.ts';

/** Somebody or something that may be found. */
export interface Candidate {
  readonly gain: Gain;
  /** Whether both sides are better off with one another than with most; null where only one side is ranked. */
  readonly mutual: boolean | null;
  /** Groups that should be shown alike; null where it is not known, or says nothing of the question. */
  readonly quarter: number | null;
  readonly sex: string | null;
}

/** A question, who is relevant to it, and the first hundred that each ranking gives. */
export interface Question {
  /** How many could be listed. */
  readonly candidates: number;
  readonly relevant: readonly Candidate[];
  readonly rankings: ReadonlyMap<string, readonly Candidate[]>;
}

export interface Fairness {
  readonly evenness: Estimate;
  /** By group; of each 1 is what it deserves. */
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
  /** By how much the nDCG of the first ranking is greater, question by question; null for itself. */
  readonly behind: Estimate | null;
}

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly questions: number;
  /** Candidates of a question, on average. */
  readonly candidates: number;
  /** Those of them who are relevant, on average. */
  readonly relevant: number;
  readonly rows: readonly Row[];
}

const shown = 10;
const found = 100;

const gainsOf = (candidates: readonly Candidate[]): Gain[] => candidates.map(({ gain }) => gain);

const told = <Told>(all: readonly (Told | null)[]): Told[] => all.flatMap((each) => (each === null ? [] : [each]));

/** Null where no groups are told, or all who are relevant are of one. */
function fairness(
  questions: readonly Question[],
  ranking: string,
  groupOf: (candidate: Candidate) => string | null,
  random: Random,
): Fairness | null {
  const groups = [...new Set(told(questions.flatMap(({ relevant }) => relevant.map(groupOf))))].sort();
  if (groups.length < 2) return null;
  const count = (candidates: readonly Candidate[]): number[] => {
    const of = candidates.map(groupOf);
    return groups.map((group) => of.filter((each) => each === group).length);
  };
  const all = questions.map(({ relevant, rankings }): GroupExposure => ({
    listed: count((rankings.get(ranking) ?? []).slice(0, shown)),
    deserving: count(relevant),
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
    answersOf(ranking).map((answer, index) => ndcgAt(shown, gainsOf(answer), gainsOf(questions[index]?.relevant ?? [])));
  const ours = ndcgOf(rankings[0] ?? '');
  return rankings.map((ranking, place) => {
    const answers = answersOf(ranking);
    // each row draws its questions from a source of its own: a row more or less changes no other
    const estimated = (measure: string, numbers: readonly number[]): Estimate =>
      estimate(numbers, random.fork(`${ranking} ${measure}`));
    const ndcg = ndcgOf(ranking);
    const mutual = answers.flatMap((answer) => {
      const known = told(answer.slice(0, shown).map((each) => each.mutual));
      return known.length === 0 ? [] : [known.filter(Boolean).length / known.length];
    });
    return {
      ranking,
      precision: estimated(
        'precision',
        answers.map((answer) => precisionAt(shown, gainsOf(answer))),
      ),
      ndcg: estimated('ndcg', ndcg),
      recall: estimated(
        'recall',
        answers.map((answer, index) => recallAt(found, gainsOf(answer), questions[index]?.relevant.length ?? 0)),
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

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The rows of all rankings over some questions, which all have the same rankings, ours first. Throws RangeError without questions. */
export function reportOf(name: string, title: string, questions: readonly Question[], random: Random): Report {
  return {
    name,
    title,
    questions: questions.length,
    candidates: mean(questions.map(({ candidates }) => candidates)),
    relevant: mean(questions.map(({ relevant }) => relevant.length)),
    rows: rowsOf(questions, random.fork(name)),
  };
}
