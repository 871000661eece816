/** Rules for single files: size, description, syntax, name, environment and SQL. */
import { posix } from 'node:path';
import ts from 'typescript';
import { at, isGenerated, nodesOf, type Source, type Violation } from './source.ts';

const linesMax = 250;
const mainLinesMax = 100;

/** A file over the size limit. */
export function sizeViolations({ path, text }: Source): Violation[] {
  const lines = text.trimEnd().split('\n').length;
  const limit = path === 'main.ts' ? mainLinesMax : linesMax;
  return lines < limit || isGenerated(path) ? [] : [`${path} has ${lines} lines: the limit is ${limit}`];
}

/** A file that does not start with a description. */
export function openingViolations({ path, text }: Source): Violation[] {
  if (isGenerated(path)) return [];
  const [first] = ts.getLeadingCommentRanges(text, ts.getShebang(text)?.length ?? 0) ?? [];
  const words = first ? (text.slice(first.pos, first.end).match(/\p{L}+/gu) ?? []) : [];
  return words.length > 2 ? [] : [`${path}:1 does not start with a description of the file`];
}

/** Syntax that type stripping cannot erase. */
export function syntaxViolations(source: Source): Violation[] {
  return [...nodesOf(source.tree)].flatMap((node) => {
    if (ts.isEnumDeclaration(node)) return [at(source, node, 'declares an enum: use a list and a union')];
    if (ts.isModuleDeclaration(node) && !ts.isStringLiteral(node.name)) return [at(source, node, 'declares a namespace')];
    if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent))
      return [at(source, node, 'declares a parameter property')];
    return [];
  });
}

const emptyNames = /^(utils?|helpers?|common|managers?)$/;
/** The entry of a package re-exports its modules. */
const namedByDesign = ['schema/build/common.ts', 'sdk/index.ts'];

/** A generic file name, or a barrel file. */
export function nameViolations({ path, tree }: Source): Violation[] {
  if (namedByDesign.includes(path)) return [];
  const words = path.split('/').flatMap((part) => part.split('.')[0]?.split('-') ?? []);
  const found = words
    .filter((word) => emptyNames.test(word))
    .map((word) => `${path} contains the generic name ${word}: use the name of the main export`);
  const passesOn =
    tree.statements.length > 0 && tree.statements.every((one) => ts.isExportDeclaration(one) && one.moduleSpecifier);
  const barrel = posix.basename(path).startsWith('index.') || passesOn;
  return barrel ? [...found, `${path} is a barrel file: import the modules directly`] : found;
}

const readsEnvironment = (path: string): boolean =>
  path === 'main.ts' || /^(commands|test|bench|evaluation)\//.test(path) || /^examples\/[^/]+\/main\.ts$/.test(path);

/** Only entry points read the environment. */
export function environmentViolations(source: Source): Violation[] {
  if (readsEnvironment(source.path)) return [];
  const reason = 'reads the environment: pass the value as an argument from main.ts or commands/';
  return [...nodesOf(source.tree)].flatMap((node) => {
    const access = ts.isPropertyAccessExpression(node) && node.name.text === 'env' && isProcess(node.expression);
    const element = ts.isElementAccessExpression(node) && isProcess(node.expression);
    const taken = ts.isVariableDeclaration(node) && node.initializer !== undefined && isProcess(node.initializer);
    const runImport =
      ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'env' && /process'$/.test(moduleOf(node));
    return access || element || taken || runImport ? [at(source, node, reason)] : [];
  });
}

const isProcess = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === 'process') ||
  (ts.isPropertyAccessExpression(node) && node.getText() === 'globalThis.process');

const moduleOf = (node: ts.ImportSpecifier): string => node.parent.parent.parent.moduleSpecifier.getText();

/** The pure engines of areas: no SQL, no GraphQL. */
const engines = ['standings', 'rankings', 'matching', 'recommending', 'talent'];

const isPureFile = (path: string): boolean =>
  /\/(resolvers|(.+-)?rules|(.+-)?resolvers|lifecycle|subgraph|constraints)\.ts$/.test(path) ||
  engines.includes(path.split('/')[2] ?? '');

const holdsSql = (path: string): boolean =>
  /^(platform|router\/admission|commands|wiring|test|bench|evaluation)\//.test(path) ||
  (/^subgraphs\/(?!runtime\/|clients\/)[^/]+\//.test(path) && !isPureFile(path));

const sqlPackages = ['pg', 'sql-template-tag', 'pg-copy-streams', 'graphile-worker'];

/** SQL is allowed in stores and their runtime only. Types such as `Queryable` are allowed everywhere. */
export function sqlViolations(source: Source): Violation[] {
  if (holdsSql(source.path)) return [];
  return [...nodesOf(source.tree)].flatMap((node) => {
    if (ts.isImportDeclaration(node)) {
      const typesOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      const specifier = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : '';
      return sqlPackages.includes(specifier) && !typesOnly
        ? [at(source, node, `imports ${specifier}: SQL belongs in a store`)]
        : [];
    }
    const tagged = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql';
    const query = ts.isCallExpression(node) && /\.query$/.test(node.expression.getText()) && isText(node.arguments[0]);
    return tagged || query ? [at(source, node, 'contains SQL: it belongs in a store')] : [];
  });
}

const isText = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));
