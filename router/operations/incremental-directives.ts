/** The uses of @defer and @stream in an operation: which are active for the given variables, and how many there are. */
import { Kind, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import type { Variables } from './conditions.ts';
import { fragmentBody, fragmentsOf } from './document-types.ts';
import { limits } from './limits.ts';

/** An active @defer. */
export interface ActiveDefer {
  readonly label: string | null;
}

/** An active @stream. */
export interface ActiveStream {
  readonly label: string | null;
  /** Number of items of the first part. Throws parameter_invalid for a negative number. */
  readonly initialCount: (variables: Variables) => number;
}

type Directives = readonly DirectiveNode[] | undefined;

export const isIncremental = ({ name }: DirectiveNode): boolean => name.value === 'defer' || name.value === 'stream';

const argument = (directive: DirectiveNode, wanted: string): ValueNode | undefined =>
  directive.arguments?.find(({ name }) => name.value === wanted)?.value;

function labelOf(directive: DirectiveNode): string | null {
  const label = argument(directive, 'label');
  return label?.kind === Kind.STRING ? label.value : null;
}

function isActive(directive: DirectiveNode, variables: Variables): boolean {
  const value = argument(directive, 'if');
  if (value?.kind === Kind.BOOLEAN) return value.value;
  return value?.kind === Kind.VARIABLE ? variables[value.name.value] !== false : true;
}

function countOf(value: ValueNode | undefined, variables: Variables): number {
  const count = value?.kind === Kind.INT ? Number(value.value) : value?.kind === Kind.VARIABLE ? variables[value.name.value] : 0;
  if (typeof count === 'number' && count < 0)
    throw new Problem('parameter_invalid', '`initialCount` of @stream must be at least 0.');
  return typeof count === 'number' ? count : 0;
}

const activeOf = (name: string, directives: Directives = [], variables: Variables): DirectiveNode | undefined =>
  directives.find((directive) => directive.name.value === name && isActive(directive, variables));

export function activeDefer(directives: Directives, variables: Variables): ActiveDefer | null {
  const directive = activeOf('defer', directives, variables);
  return directive === undefined ? null : { label: labelOf(directive) };
}

export function activeStream(directives: Directives, variables: Variables): ActiveStream | null {
  const directive = activeOf('stream', directives, variables);
  if (directive === undefined) return null;
  const value = argument(directive, 'initialCount');
  return { label: labelOf(directive), initialCount: (given) => countOf(value, given) };
}

/** The uses of @defer and @stream in an operation. */
export interface IncrementalUses {
  /** Equal for variables with which the same directives are active, and the same lists start empty. */
  readonly activeFor: (variables: Variables) => string;
  /** Counts every use of a fragment, and those within a streamed list twice. */
  readonly count: number;
}

/** Null for an operation without these directives. Throws query_too_complex above the limit of uses. */
export function compileIncrementalUses(document: DocumentNode, operation: OperationDefinitionNode): IncrementalUses | null {
  const conditions = new Set<string>();
  const counts = new Set<string>();
  const used: DirectiveNode[] = [];
  visit(document, {
    Directive(directive) {
      if (!isIncremental(directive)) return;
      used.push(directive);
      const [condition, count] = [argument(directive, 'if'), argument(directive, 'initialCount')];
      if (condition?.kind === Kind.VARIABLE) conditions.add(condition.name.value);
      if (count?.kind === Kind.VARIABLE) counts.add(count.name.value);
    },
  });
  if (used.length === 0) return null;
  const count = countUses(document, operation);
  const activeFor = (variables: Variables): string =>
    [...[...conditions].map((name) => variables[name] !== false), ...[...counts].map((name) => (variables[name] ?? 0) !== 0)]
      .map(Number)
      .join('');
  return { activeFor, count };
}

/** What is within a streamed list counts twice: it is in the first items, and in the later ones. */
function countUses(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = fragmentsOf(document);
  const sizeOf = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((total, selection) => {
      const inner = sizeOf(
        selection.kind === Kind.FIELD ? selection.selectionSet : fragmentBody(selection, fragments)?.selectionSet,
      );
      const used = selection.directives?.filter(isIncremental) ?? [];
      const isStreamed = used.some(({ name }) => name.value === 'stream');
      return total + inner * (isStreamed ? 2 : 1) + used.length;
    }, 0);
  const count = sizeOf(operation.selectionSet);
  if (count <= limits.incrementalUses) return count;
  throw new Problem(
    'query_too_complex',
    `The operation uses @defer and @stream more than ${limits.incrementalUses} times, counting each use of a fragment, and those within a streamed list twice. Remove some of them.`,
  );
}
