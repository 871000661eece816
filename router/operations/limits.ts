/** Limits of a single operation, cheap to check also for hostile documents. */
import { GraphQLError, Kind, Lexer, OperationTypeNode, Source, TokenKind } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import { rejectRootConditions } from './subscription-root.ts';

export const limits = {
  /** Maximum bytes of a document. */
  bytes: 64 * 1024,
  /** Maximum tokens of a document. */
  tokens: 4_000,
  /** Maximum characters of an alias: it is repeated in each item of a list. */
  aliasCharacters: 100,
  /** Maximum levels of nested selections. */
  depth: 15,
  /** Maximum levels of nested selections including fragments: the query planner parses 50. */
  nesting: 40,
  /** Maximum fields of an operation, counting every use of a fragment. */
  fields: 1_000,
  /** Maximum root fields and lists of an operation, counting every alias and every use of a fragment. */
  reads: 20,
  /** Maximum uses of @defer and @stream in an operation (incremental-directives.ts). */
  incrementalUses: 50,
  /** Maximum points of an operation (cost-estimate.ts). */
  points: 20_000,
  /** Points from which an operation is expensive: few of one caller run at the same time. The largest simple page has fewer. */
  expensivePoints: 500,
} as const;

/** Total characters of the texts in a cache: the size of an entry grows with its text. */
export const cachedCharacters = 2_000_000;

/** Throws payload_too_large for a document above the byte limit. */
export function limitBytes(text: string): void {
  if (text.length * 3 <= limits.bytes || Buffer.byteLength(text) <= limits.bytes) return;
  throw new Problem('payload_too_large', `The document exceeds ${limits.bytes / 1024} KiB. Send values as variables.`);
}

/** Throws token_limit for a document that is too long; one with no more characters than allowed tokens passes unchecked. */
export function limitTokens(text: string): void {
  if (text.length <= limits.tokens) return;
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) {
      if (count >= limits.tokens) throw new Problem('token_limit', `The document exceeds ${limits.tokens} tokens.`);
    }
  } catch (error) {
    // The parser reports syntax errors with their location.
    if (!(error instanceof GraphQLError)) throw error;
  }
}

/** Size of a selection with all its fragments; both numbers stop growing just above their limits. */
interface Size {
  readonly fields: number;
  readonly depth: number;
}

const overflow: Size = { fields: limits.fields + 1, depth: limits.depth + 1 };

/**
 * Throws query_too_deep, query_too_complex, parameter_invalid for an alias that is too long or starts with "__", or operation_unknown for a
 * subscription whose root field has conditions.
 * Needs no schema and no valid document: it runs before validation, whose cost is quadratic in hostile documents.
 */
export function limitDocument(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const sizes = new Map<string, Size | 'IN_PROGRESS'>();

  function sizeOfFragment(name: string): Size {
    const known = sizes.get(name);
    // validation rejects fragment cycles
    if (known === 'IN_PROGRESS') return { fields: 0, depth: 0 };
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    if (fragment === undefined) return { fields: 0, depth: 0 };
    sizes.set(name, 'IN_PROGRESS');
    const size = sizeOfSelection(fragment.selectionSet, 0, fragment.typeCondition.name.value.startsWith('__'));
    sizes.set(name, size);
    return size;
  }

  function sizeOfSelection(set: SelectionSetNode, level: number, inSchema: boolean): Size {
    if (level > limits.nesting) return overflow;
    let fields = 0;
    let depth = 0;
    for (const selection of set.selections) {
      let inner: Size;
      if (selection.kind === Kind.FIELD) {
        const { alias, name, selectionSet } = selection;
        checkAlias(alias?.value);
        if (alias !== undefined && (inSchema || name.value === '__schema')) rejectIntrospectionAlias(alias.value);
        const within = inSchema || name.value === '__schema' || name.value === '__type';
        const below = selectionSet === undefined ? { fields: 0, depth: 0 } : sizeOfSelection(selectionSet, level + 1, within);
        inner = { fields: below.fields + 1, depth: below.depth + 1 };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) inner = sizeOfSelection(selection.selectionSet, level + 1, inSchema);
      else inner = sizeOfFragment(selection.name.value);
      fields = Math.min(fields + inner.fields, overflow.fields);
      depth = Math.max(depth, inner.depth);
    }
    return { fields, depth };
  }

  for (const fragment of fragments.keys()) sizeOfFragment(fragment);
  for (const operation of operations) {
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) rejectRootConditions(operation, fragments);
    const size = sizeOfSelection(operation.selectionSet, 0, false);
    if (size.depth > limits.depth && !isIntrospection(operation)) {
      throw new Problem('query_too_deep', `The operation is nested more than ${limits.depth} levels deep.`);
    }
    if (size.fields > limits.fields)
      throw new Problem('query_too_complex', `The operation selects more than ${limits.fields} fields.`);
  }
}

/** Aliases like __proto__ vanish in object literals, and GraphQL reserves the prefix. */
function checkAlias(alias: string | undefined): void {
  if (alias === undefined) return;
  if (alias.length > limits.aliasCharacters)
    throw new Problem('parameter_invalid', `An alias has more than ${limits.aliasCharacters} characters. Shorten it.`);
  if (alias.startsWith('__'))
    throw new Problem('parameter_invalid', `The alias "${alias}" starts with "__", which GraphQL reserves.`);
}

/** The schema is large, and each alias within it would return parts of it again: seconds of work and tens of megabytes per request. */
function rejectIntrospectionAlias(alias: string): void {
  throw new Problem('query_too_complex', `Introspection does not support aliases. Remove the alias "${alias}".`);
}

/** The introspection queries of common tools nest `ofType` deeper than any of our data. */
function isIntrospection(operation: OperationDefinitionNode): boolean {
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}
