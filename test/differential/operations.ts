/** fast-check arbitraries of operations: generated from its random numbers, and shrunk by removing parts. */
import fc from 'fast-check';
import { Kind, NoUnusedFragmentsRule, NoUnusedVariablesRule, parse, print, specifiedRules, validate, visit } from 'graphql';
import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import { failureModes, type FailureMode } from './areas.ts';
import { generateOperation, type Bounds } from './operation-generator.ts';

/** How requests reach a subgraph: as a call, or as JSON like to another process. */
export const wirings = ['call', 'json'] as const;

/** One experiment: an operation, the data and the injected failures. */
export interface Experiment {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Seed of the data. */
  readonly seed: number;
  readonly failureMode: FailureMode;
  readonly wiring: (typeof wirings)[number];
}

/** Unused fragments and variables, which shrinking leaves, are allowed. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule);

const isValid = (schema: GraphQLSchema, document: DocumentNode): boolean => validate(schema, document, rules).length === 0;

/** The parts of a document that shrinking may remove, in document order. */
const isPart = (node: ASTNode): boolean =>
  node.kind === Kind.FIELD ||
  node.kind === Kind.INLINE_FRAGMENT ||
  node.kind === Kind.FRAGMENT_SPREAD ||
  node.kind === Kind.DIRECTIVE ||
  node.kind === Kind.ARGUMENT ||
  node.kind === Kind.VARIABLE_DEFINITION ||
  node.kind === Kind.FRAGMENT_DEFINITION;

function without(document: DocumentNode, index: number): DocumentNode | null {
  const left = { parts: index };
  const rest = visit(document, {
    enter(node) {
      if (!isPart(node)) return undefined;
      left.parts -= 1;
      return left.parts === -1 ? null : undefined;
    },
  });
  return left.parts < 0 ? rest : null;
}

function* smaller(schema: GraphQLSchema, experiment: Experiment): IterableIterator<fc.Value<Experiment>> {
  const document = parse(experiment.text, { noLocation: true });
  if (experiment.wiring !== 'call') yield new fc.Value({ ...experiment, wiring: 'call' }, undefined);
  for (const failureMode of failureModes) {
    if (failureMode === experiment.failureMode) break;
    yield new fc.Value({ ...experiment, failureMode }, undefined);
  }
  for (let index = 0; ; index += 1) {
    const rest = without(document, index);
    if (rest === null) return;
    if (hasNoEmptySet(rest) && isValid(schema, rest)) yield new fc.Value({ ...experiment, text: print(rest) }, undefined);
  }
}

function hasNoEmptySet(document: DocumentNode): boolean {
  let empty = false;
  visit(document, { SelectionSet: (node) => void (empty ||= node.selections.length === 0) });
  return !empty;
}

class Experiments extends fc.Arbitrary<Experiment> {
  readonly #schema: GraphQLSchema;
  readonly #bounds: Bounds;

  constructor(schema: GraphQLSchema, bounds: Bounds) {
    super();
    this.#schema = schema;
    this.#bounds = bounds;
  }

  override generate(random: fc.Random): fc.Value<Experiment> {
    const pick = (count: number): number => random.nextInt(0, count - 1);
    const conditions = {
      seed: pick(1_000_000),
      failureMode: failureModes[pick(failureModes.length)] ?? 'none',
      wiring: wirings[pick(wirings.length)] ?? 'call',
    };
    for (;;) {
      const written = generateOperation(this.#schema, this.#bounds, pick);
      if (isValid(this.#schema, parse(written.text))) return new fc.Value({ ...written, ...conditions }, undefined);
    }
  }

  override canShrinkWithoutContext(value: unknown): value is Experiment {
    return typeof value === 'object' && value !== null && 'text' in value;
  }

  override shrink(experiment: Experiment): fc.Stream<fc.Value<Experiment>> {
    return fc.stream(smaller(this.#schema, experiment));
  }
}

/** Experiments with valid operations. */
export const experiments = (schema: GraphQLSchema, bounds: Bounds): fc.Arbitrary<Experiment> => new Experiments(schema, bounds);
