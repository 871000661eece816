/** Executions in parts against executions as one: the merged parts must be the whole response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import {
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isListType,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DirectiveNode, DocumentNode, FieldNode, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { pino } from 'pino';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import type { DeliveredPart, ExecutionRequest } from '../../router/executor/executor.ts';
import { compileConditions } from '../../router/operations/conditions.ts';
import { fieldSetNames, renameClientNames } from '../../router/operations/client-names.ts';
import { compileIncrementalUses } from '../../router/operations/incremental-directives.ts';
import { createPlanner } from '../../router/planner/planner.ts';
import { plannerInput } from '../../router/planner/planner-input.ts';
import { Problem } from '../../schema/errors.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { mergeParts, type ReceivedPart } from '../router/parts-reader.ts';
import { createGeneratedAreas, type AreaTexts } from './areas.ts';
import type { Experiment } from './operations.ts';
import { oneIn, randomNumber } from './random-number.ts';
import { composed } from './supergraphs/all.ts';

const directive = (text: string): DirectiveNode => {
  const [definition] = parse(`{ field ${text} }`, { noLocation: true }).definitions;
  const selection = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections[0] : undefined;
  if (selection?.directives?.[0] === undefined) throw new Error('no directive');
  return selection.directives[0];
};

function isStreamable(info: TypeInfo): boolean {
  const field = info.getFieldDef();
  if (field === null || field === undefined) return false;
  return isListType(getNullableType(field.type)) && !getNamedType(field.type).name.startsWith('__');
}

/** Adds @defer to fragments and to selections, and @stream to lists, at random places. Root fields of mutations stay. */
export function addDirectives(schema: GraphQLSchema, document: DocumentNode, seed: number): DocumentNode {
  const info = new TypeInfo(schema);
  let index = 0;
  let left = 10;
  const chosen = (times: number): boolean => {
    index += 1;
    if (left === 0 || !oneIn(times, seed, 'directive', String(index))) return false;
    left -= 1;
    return true;
  };
  const isRoot = (): boolean => schema.getMutationType() === info.getParentType();
  const deferred = (): DirectiveNode =>
    directive(oneIn(5, seed, 'if', String(index)) ? '@defer(if: false)' : `@defer(label: "part${index}")`);
  const count = (): number => randomNumber(seed, 'count', String(index)) % 3;
  return visit(
    document,
    visitWithTypeInfo(info, {
      InlineFragment: {
        leave: (node) => (isRoot() || !chosen(2) ? undefined : { ...node, directives: [...(node.directives ?? []), deferred()] }),
      },
      FragmentSpread: {
        leave: (node) => (isRoot() || !chosen(2) ? undefined : { ...node, directives: [...(node.directives ?? []), deferred()] }),
      },
      Field: {
        leave(node): FieldNode | undefined {
          if (isRoot() || !isStreamable(info) || !chosen(2)) return undefined;
          return { ...node, directives: [...(node.directives ?? []), directive(`@stream(initialCount: ${count()})`)] };
        },
      },
      SelectionSet: {
        leave(set): SelectionSetNode | undefined {
          if (isRoot() || !chosen(3)) return undefined;
          const at = randomNumber(seed, 'split', String(index)) % set.selections.length;
          const moved: SelectionNode = {
            kind: Kind.INLINE_FRAGMENT,
            directives: [deferred()],
            selectionSet: { kind: Kind.SELECTION_SET, selections: set.selections.slice(at) },
          };
          return { ...set, selections: [...set.selections.slice(0, at), moved] };
        },
      },
    }),
  );
}

/**
 * Whether the merged parts contain all values of the whole response, and no others. A missing non-null value can make more of the whole
 * response null. `isPartial`: it can also end a part.
 */
function contains(merged: unknown, whole: unknown, isPartial: boolean): boolean {
  if (whole === null) return true;
  if (merged === undefined) return isPartial;
  if (typeof whole !== 'object' || typeof merged !== 'object' || merged === null) return merged === whole;
  const [ours, theirs] = [merged, whole] as Record<string, unknown>[];
  return Object.keys({ ...ours, ...theirs }).every(
    (key) => theirs?.[key] !== undefined && contains(ours?.[key], theirs[key], isPartial),
  );
}

type Path = readonly (string | number)[];

/** The path of the null that contains the value at a path; the path itself without one. */
function nullAround(data: unknown, path: Path): Path {
  let value = data;
  for (const [index, step] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, index);
    value = (value as Record<string, unknown>)[step];
  }
  return path;
}

/** The errors of the whole response at nulls that no error of a part explains. */
function lostErrors(data: unknown, reported: readonly GraphError[], whole: readonly GraphError[]): readonly GraphError[] {
  return whole.filter(({ path = [], extensions }) => {
    // an entity that its area does not return is null without an error, unless it makes several fields null
    if (extensions.code === 'internal') return false;
    const place = nullAround(data, path);
    return !reported.some(({ path: other = [] }) => place.every((step, index) => other[index] === step));
  });
}

function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, byName(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const received = ({ path, result, errors }: DeliveredPart): NonNullable<ReceivedPart['incremental']>[number] =>
  result.kind === 'DATA' ? { data: result.data, path, errors } : { items: result.items, path: [...path, result.from], errors };

export interface PartsOutcome {
  readonly text: string;
  /** Null for equal data when all errors of the whole response are in a part. */
  readonly difference: { readonly parts: unknown; readonly whole: unknown; readonly lost: readonly GraphError[] } | null;
  /** Number of later parts. */
  readonly parts: number;
}

export interface PartsComparison {
  readonly schema: GraphQLSchema;
  /** Returns null for an operation that the planner cannot plan. */
  run(experiment: Experiment): Promise<PartsOutcome | null>;
  close(): Promise<void>;
}

/** Composes the subgraphs and builds what the experiments share. `wrap` wraps the subgraph clients. */
export function createPartsComparison(
  texts: AreaTexts,
  wrap: (area: SubgraphClient, name: string) => SubgraphClient = (area) => area,
): PartsComparison {
  const supergraphSdl = composed(texts);
  const schema = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES })
    .apiSchema()
    .toGraphQLJSSchema();
  const planner = createPlanner({ supergraphSdl });
  const generated = createGeneratedAreas(texts);
  const delayed = Object.entries(generated.areas).map(([name, area]): [string, SubgraphClient] => {
    const client = wrap(area, name);
    return [
      name,
      {
        async query(request) {
          // responses in a random order: a part must not be delivered before what it selects
          await sleep([0, 1, 6][randomNumber(name, request.query) % 3]);
          return await client.query(request);
        },
      },
    ];
  });
  const executor = createCompiledExecutor({
    supergraphSdl,
    subgraphs: Object.fromEntries(delayed),
    log: pino({ enabled: false }),
  });
  const reserved = fieldSetNames(supergraphSdl);

  return {
    schema,
    async run({ text, variables: given, seed, failureMode }) {
      const parsed = addDirectives(schema, parse(text, { noLocation: true }), seed);
      const selected = getOperationAST(parsed);
      if (!selected) throw new Error('The document must have exactly one operation.');
      const { document, operation } = renameClientNames(parsed, selected, reserved) ?? { document: parsed, operation: selected };
      const renamed = renameClientNames(parsed, selected, reserved)?.renameVariables(given) ?? given;
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...renamed });
      if (coerced === undefined) throw new Error('The variables are not valid.');
      const conditions = compileConditions(document, operation)(coerced);
      const plan = await planner.plan(plannerInput(document), null, conditions).catch(() => null);
      if (plan === null) return null;
      let activeDirectives: string;
      try {
        activeDirectives = compileIncrementalUses(document, operation)?.activeFor(coerced) ?? '';
      } catch (error) {
        // more parts than allowed
        if (error instanceof Problem) return null;
        throw error;
      }
      const request: ExecutionRequest = {
        plan,
        document,
        operation,
        schema,
        conditions,
        variables: coerced,
        viewer: ANONYMOUS,
        requestId: 'parts',
        signal: undefined,
      };
      generated.startExperiment(seed, failureMode);
      const whole = await executor.execute(request);
      generated.startExperiment(seed, failureMode);
      const { data, errors, later } = await executor.execute({ ...request, activeDirectives });
      const delivered: DeliveredPart[] = [];
      for await (const batch of later?.batches ?? []) delivered.push(...batch.delivered);
      const incremental = delivered.map(received);
      const merged = mergeParts([
        { data, hasNext: true },
        { incremental, hasNext: false },
      ]);
      const isPartial = incremental.some(({ data: part, items }) => part === null || items === null);
      const canBubble = isPartial || failureMode === 'absences' || failureMode === 'faults' || failureMode === 'all';
      const isEqual = canBubble
        ? contains(merged, whole.data, isPartial)
        : JSON.stringify(byName(merged)) === JSON.stringify(byName(whole.data));
      const reported = [...errors, ...delivered.flatMap((part) => part.errors)];
      const lost = isPartial ? [] : lostErrors(merged, reported, whole.errors);
      const difference = isEqual && lost.length === 0 ? null : { parts: [data, ...incremental], whole: whole.data, lost };
      return { text: print(document), difference, parts: delivered.length };
    },
    close: () => planner.close(),
  };
}
