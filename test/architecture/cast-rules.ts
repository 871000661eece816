/** Type assertions in production code: each one has its reason in a comment, and their number is bounded. */
import ts from 'typescript';
import { at, isGenerated, nodesOf, type Source, type Violation } from './source.ts';

const production = ['platform', 'schema', 'subgraphs', 'router', 'rest-bridge', 'wiring', 'commands'];

/** The upper bound of casts in production code. Lower it when you remove casts. Prefer a type guard of schema/records.ts to a new cast. */
export const castsMax = 60;

const isCast = (node: ts.Node): boolean =>
  ts.isTypeAssertionExpression(node) || (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type));

/** The type assertions of a production module, except `as const`. */
export function castsOf({ path, module, tree }: Source): ts.Node[] {
  return production.includes(module) && !isGenerated(path) ? [...nodesOf(tree)].filter(isCast) : [];
}

/** The lines that may contain the reason: those of the cast and of its statement, and the lines before them. */
function reasonLines({ tree, text }: Source, cast: ts.Node): string[] {
  const lines = text.split('\n');
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
  const statement = ts.findAncestor(cast, (node) => ts.isStatement(node) || ts.isClassElement(node)) ?? cast;
  const starts = [statement, cast].map((node) => lineOf(node.getStart(tree)));
  return [...starts, lineOf(cast.end)].flatMap((line) => [lines[line - 1] ?? '', lines[line] ?? '']);
}

/** A cast without a comment `Cast: …` on its line, on the first line of its statement, or on the line before. */
export function castViolations(source: Source): Violation[] {
  return castsOf(source)
    .filter((cast) => !reasonLines(source, cast).some((line) => line.includes('Cast: ')))
    .map((cast) => at(source, cast, 'casts without a comment `Cast: …` that gives the reason'));
}
