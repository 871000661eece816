/** The messages that a module writes to the log of its process, read from the syntax tree. */
import ts from 'typescript';
import type { Source } from './source.ts';

/** A message with one of its levels. Inserted values are `…`. */
export interface LogMessage {
  readonly message: string;
  readonly level: string;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
const inserted = '…';

/** Objects with methods of the same names: the terminal, and a Redis server with its command INFO. */
const otherReceivers = new Set(['console', 'master']);

/** Every node below a node, without tokens, which `nodesOf` has too: their objects take ten times as long. */
function* nodesBelow(node: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* nodesBelow(child);
  }
}

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

const isAccess = (node: ts.Node): node is Access => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

/** The last name of an expression: `log` for `request.log`. */
function nameOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

const isLog = (expression: ts.Expression): boolean => /^log(ger)?$/i.test(nameOf(expression));

/** The value of a constant of the module; undefined for other names. */
function constantOf(source: Source, name: string): ts.Expression | undefined {
  for (const node of nodesBelow(source.tree))
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) return node.initializer;
  return undefined;
}

/** All texts that an expression can have. */
function textsOf(source: Source, expression: ts.Expression | undefined): string[] {
  const texts = (part: ts.Expression): string[] => textsOf(source, part);
  if (expression === undefined) return [inserted];
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression))
    return [expression.head.text + expression.templateSpans.map(({ literal }) => inserted + literal.text).join('')];
  if (ts.isParenthesizedExpression(expression)) return texts(expression.expression);
  if (ts.isConditionalExpression(expression)) return [...texts(expression.whenTrue), ...texts(expression.whenFalse)];
  if (ts.isIdentifier(expression)) {
    const constant = constantOf(source, expression.text);
    return constant === undefined ? [inserted] : texts(constant);
  }
  if (!ts.isBinaryExpression(expression)) return [inserted];
  const { left, right, operatorToken } = expression;
  if (operatorToken.kind === ts.SyntaxKind.PlusToken)
    return texts(left).flatMap((first) => texts(right).map((last) => first + last));
  return [...texts(left), ...texts(right)];
}

/** The levels that an access to a log names: `log.warn`, `log[isError ? 'error' : 'info']`. */
function levelsOf(source: Source, access: Access): string[] {
  if (otherReceivers.has(nameOf(access.expression))) return [];
  if (ts.isPropertyAccessExpression(access)) return logLevels.filter((level) => level === access.name.text);
  const texts = textsOf(source, access.argumentExpression);
  // a computed level of a log is not known: no row has it
  return texts.filter((text) => logLevels.includes(text) || isLog(access.expression));
}

/** The messages of an access; none for a member of another object, such as the `error` of an outcome. */
function messagesOf(source: Source, access: Access): string[] {
  const { parent } = access;
  if (!ts.isCallExpression(parent) || parent.expression !== access) return isLog(access.expression) ? [inserted] : [];
  const [first, second] = parent.arguments;
  return textsOf(source, second ?? first).filter((text) => text !== '');
}

/** The messages that a module logs. A log method that is passed on, or a message that is not a literal, has the message `…`. */
export function logMessages(source: Source): LogMessage[] {
  return [...nodesBelow(source.tree)].filter(isAccess).flatMap((access) => {
    const levels = levelsOf(source, access);
    return levels.length === 0
      ? []
      : messagesOf(source, access).flatMap((message) => levels.map((level) => ({ message, level })));
  });
}
