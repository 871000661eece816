/** Prints a report as a Markdown table. */
import { align } from '../commands/markdown-table.ts';
import type { Estimate } from './measures.ts';
import type { Fairness, Report, Row } from './report.ts';

const head = ['ranking', 'precision@10', 'nDCG@10', 'recall@100', 'reciprocity', 'birth quarters', 'sexes', 'nDCG behind first'];

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

/** The heading, the numbers of questions and candidates, and the table without empty columns. */
export function printReport({ title, questions, candidates, relevant, rows }: Report): string {
  const lines = [head, ...rows.map(line)];
  const filled = head.map((_, column) => lines.slice(1).some((cells) => cells[column] !== ''));
  const table = align(
    lines.map((cells) => cells.filter((_, column) => filled[column])),
    1,
  );
  const scope = `${questions} questions. Mean per question: ${candidates.toFixed(0)} candidates, ${relevant.toFixed(0)} relevant.`;
  return `### ${title}\n\n${scope}\n\n${table}`;
}
