/** The project files for the architecture tests: path, module, text, syntax tree and imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '../..');

export interface Import {
  /** Path from the root, with slashes; null for packages. */
  readonly path: string | null;
  readonly specifier: string;
  readonly line: number;
}

export interface Source {
  /** Path from the root, with slashes. */
  readonly path: string;
  /** The top folder, or the file itself at the root. */
  readonly module: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** A violation of a rule: `subgraphs/athletes/rules.ts:3 imports …`. */
export type Violation = string;

const ignoredFolders = /^(node_modules|\.git|\.data|coverage|dist(-\d+)?)$/;

/** Paths of all files below a folder, relative to the root, with slashes. */
export function listFiles(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return ignoredFolders.test(entry.name) ? [] : listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

function importsOf(path: string, text: string): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName: specifier, pos }) => ({
    specifier,
    path: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null,
    line: lineAt(text, pos),
  }));
}

/** Parses a module. Tests of the rules pass the text. */
export function readSource(path: string, text = readText(path)): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  return { path, module: path.split('/')[0] ?? path, text, tree, imports: importsOf(path, text) };
}

/** Every node of a module, depth first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

/** A violation at a node. */
export function at(source: Source, node: ts.Node, reason: string): Violation {
  return `${source.path}:${lineAt(source.text, node.getStart())} ${reason}`;
}

export const isGenerated = (path: string): boolean => /(^|\/)generated\//.test(path);
