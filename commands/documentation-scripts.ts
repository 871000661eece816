/** The scripts of the documentation pages as JavaScript, which browsers load: one generated file for each TypeScript file. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '../rest-bridge/documentation/browser');

/** The files by path. */
export function documentationScripts(): Map<string, string> {
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    removeComments: true,
    rewriteRelativeImportExtensions: true,
  };
  return new Map(
    globSync('*.ts', { cwd: folder }).map((name) => {
      const { outputText } = ts.transpileModule(readFileSync(join(folder, name), 'utf8'), { compilerOptions });
      return [join(folder, 'generated', `${basename(name, '.ts')}.js`), outputText];
    }),
  );
}
