/** How much one operation may ask for: cheap to find out, also for documents made to be expensive. */
import { GraphQLError, Kind, Lexer, Source, TokenKind } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Problem } from '../../schema/errors.ts';

export const limits = {
  /** Bytes of a document. */
  bytes: 64 * 1024,
  /** Tokens of a document. */
  tokens: 4_000,
  /** Levels of nested selections. */
  depth: 15,
  /** Fields of an operation, with every use of a fragment counted. */
  fields: 1_000,
  /** Root fields and lists of an operation, with every alias and every use of a fragment counted. */
  reads: 20,
  /** Points an operation may cost (estimate.ts). */
  points: 20_000,
} as const;

/** Characters of all the texts of which a cache keeps something: what is kept of a text grows with it. */
export const cachedCharacters = 2_000_000;

/** Throws payload_too_large for a document of too many bytes. */
export function limitBytes(text: string): void {
  if (text.length * 3 <= limits.bytes || Buffer.byteLength(text) <= limits.bytes) return;
  throw new Problem('payload_too_large', `The document has more than ${limits.bytes / 1024} KiB: send values as variables.`);
}

/** Throws token_limit for a document that is too long; a document of as many characters as tokens allowed cannot be. */
export function limitTokens(text: string): void {
  if (text.length <= limits.tokens) return;
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count++) {
      if (count >= limits.tokens) throw new Problem('token_limit', `The document has more than ${limits.tokens} tokens.`);
    }
  } catch (error) {
    // A syntax error is told by the parser, with its place.
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
 * Throws query_too_deep, query_too_complex or, for an alias that begins with "__", parameter_invalid.
 * Needs no schema and no validity: it runs before validation, whose cost grows with the square of hostile documents.
 */
export function limitDocument(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const sizes = new Map<string, Size | 'OPEN'>();

  function sizeOfFragment(name: string): Size {
    const known = sizes.get(name);
    // A fragment within itself is refused by validation.
    if (known === 'OPEN') return { fields: 0, depth: 0 };
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    if (fragment === undefined) return { fields: 0, depth: 0 };
    sizes.set(name, 'OPEN');
    const size = sizeOfSelection(fragment.selectionSet, 0, fragment.typeCondition.name.value.startsWith('__'));
    sizes.set(name, size);
    return size;
  }

  function sizeOfSelection(set: SelectionSetNode, level: number, ofSchema: boolean): Size {
    // The parser's stack is deeper than ours needs to be.
    if (level > 200) return overflow;
    let fields = 0;
    let depth = 0;
    for (const selection of set.selections) {
      let inner: Size;
      if (selection.kind === Kind.FIELD) {
        const { alias, name, selectionSet } = selection;
        refuseAlias(alias?.value);
        if (alias !== undefined && (ofSchema || name.value === '__schema')) refuseAliasOfSchema(alias.value);
        const within = ofSchema || name.value === '__schema' || name.value === '__type';
        const below = selectionSet === undefined ? { fields: 0, depth: 0 } : sizeOfSelection(selectionSet, level + 1, within);
        inner = { fields: below.fields + 1, depth: below.depth + 1 };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) inner = sizeOfSelection(selection.selectionSet, level + 1, ofSchema);
      else inner = sizeOfFragment(selection.name.value);
      fields = Math.min(fields + inner.fields, overflow.fields);
      depth = Math.max(depth, inner.depth);
    }
    return { fields, depth };
  }

  for (const fragment of fragments.keys()) sizeOfFragment(fragment);
  for (const operation of operations) {
    const size = sizeOfSelection(operation.selectionSet, 0, false);
    if (size.depth > limits.depth && !isIntrospection(operation)) {
      throw new Problem('query_too_deep', `The operation nests more than ${limits.depth} levels.`);
    }
    if (size.fields > limits.fields)
      throw new Problem('query_too_complex', `The operation has more than ${limits.fields} fields.`);
  }
}

/** Aliases like __proto__ vanish in object literals, and the prefix belongs to GraphQL itself. */
function refuseAlias(alias: string | undefined): void {
  if (alias?.startsWith('__') !== true) return;
  throw new Problem('parameter_invalid', `The alias "${alias}" begins with "__".`);
}

/** The schema is long, and each alias within it would tell all of that again: seconds of work and tens of megabytes for one request. */
function refuseAliasOfSchema(alias: string): void {
  throw new Problem(
    'query_too_complex',
    `The alias "${alias}" is within __schema or __type, or of __schema: ask the schema without aliases.`,
  );
}

/** The introspection query of common tools nests `ofType` deeper than any of our data. */
function isIntrospection(operation: OperationDefinitionNode): boolean {
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}
