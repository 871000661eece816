/** The tables that an evaluation prints, one for each report. */
import { align } from '../commands/markdown-table.ts';
import type { Estimate } from './measures.ts';
import type { Fairness, Report, Row } from './report.ts';

const head = ['ranking', 'precision@10', 'nDCG@10', 'recall@100', 'reciprocity', 'birth quarters', 'sexes', 'nDCG behind ours'];

const estimated = (value: Estimate | null): string =>
  value === null ? '' : `${value.mean.toFixed(2)} [${value.low.toFixed(2)}, ${value.high.toFixed(2)}]`;
const even = (value: Fairness | null): string => estimated(value?.evenness ?? null);

const line = ({ ranking, precision, ndcg, recall, reciprocity, quarters, sexes, behind }: Row): string[] => [
  ranking,
  estimated(precision),
  estimated(ndcg),
  estimated(recall),
  estimated(reciprocity),
  even(quarters),
  even(sexes),
  estimated(behind),
];

/** A heading, over what it was measured, and the table; columns that say nothing are left out. */
export function printReport({ title, questions, candidates, relevant, rows }: Report): string {
  const lines = [head, ...rows.map(line)];
  const told = head.map((_, column) => lines.slice(1).some((cells) => cells[column] !== ''));
  const table = align(
    lines.map((cells) => cells.filter((_, column) => told[column])),
    1,
  );
  const over = `${questions} questions, on average over ${candidates.toFixed(0)} candidates of whom ${relevant.toFixed(0)} are relevant.`;
  return `### ${title}\n\n${over}\n\n${table}`;
}
