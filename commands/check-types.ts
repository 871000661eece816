/** Lints and type-checks the project and the dashboard with one TypeScript program each, which ESLint and the compiler share. */
import { join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');

function createProgram(project: string): ts.Program {
  const path = join(root, project);
  const read: { readonly config?: unknown; readonly error?: ts.Diagnostic } = ts.readConfigFile(path, (name) =>
    ts.sys.readFile(name),
  );
  if (read.error) throw new Error(ts.flattenDiagnosticMessageText(read.error.messageText, '\n'));
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(read.config, ts.sys, join(path, '..'), undefined, path);
  const [invalid] = errors;
  if (invalid) throw new Error(ts.flattenDiagnosticMessageText(invalid.messageText, '\n'));
  return ts.createProgram({ rootNames: fileNames, options });
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

/** Prints the warnings and errors of ESLint. Returns how many there are. */
async function lint(programs: readonly ts.Program[]): Promise<number> {
  const eslint = new ESLint({
    cwd: root,
    // type information comes from the programs instead of the project service, which would compile everything again
    overrideConfig: [
      { files: ['**/*.ts', '**/*.tsx'], languageOptions: { parserOptions: { projectService: false, programs: [...programs] } } },
    ],
  });
  const results = await eslint.lintFiles(['.']);
  const formatter = await eslint.loadFormatter('stylish');
  const text = await formatter.format(results);
  if (text !== '') console.log(text);
  return results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0);
}

/** Prints the errors of the compiler. Returns how many there are. */
function checkTypes(program: ts.Program): number {
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) console.log(ts.formatDiagnosticsWithColorAndContext(diagnostics, formatHost));
  return diagnostics.length;
}

const projects = [
  'tsconfig.json',
  'dashboard/tsconfig.json',
  'dashboard/portal/tsconfig.json',
  'rest-bridge/documentation/browser/tsconfig.json',
  'sdk/tsconfig.json',
];
const programs = projects.map(createProgram);
const linted = await lint(programs);
const errors = programs.reduce((sum, program) => sum + checkTypes(program), linted);
process.exitCode = errors > 0 ? 1 : 0;
