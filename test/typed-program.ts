/** A TypeScript program of a partner: type-checked against the given files, then run in a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './architecture/source.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** Type-checks files in memory, as if they were in test/. Returns the compiler errors by file and line. */
export function compile(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(root, 'test', name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, languageVersion, onError, fresh) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion, onError, fresh)
      : ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.split('/').at(-1) ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/**
 * Runs a module with arguments and parses its output. It imports packages of this project. Throws Error with the output
 * on failure.
 */
export async function run(text: string, args: readonly string[]): Promise<unknown> {
  // below node_modules, so that packages resolve and other tools ignore it
  const folder = await mkdtemp(join(root, 'node_modules', '.program-'));
  try {
    const file = join(folder, 'program.mjs');
    await writeFile(file, stripTypeScriptTypes(text));
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
    let [output, errorOutput] = ['', ''];
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (errorOutput += String(chunk)));
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`the program exited with ${status ?? 'a signal'}:\n${errorOutput}`);
    return JSON.parse(output);
  } finally {
    await rm(folder, { recursive: true });
  }
}
