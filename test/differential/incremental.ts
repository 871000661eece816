/** Executions in parts against executions as one: the merged parts must be the whole response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { getNamedType, getNullableType, getOperationAST, isListType, Kind, parse, print } from 'graphql';
import { TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { DirectiveNode, DocumentNode, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { getVariableValues } from 'graphql';
import { pino } from 'pino';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import type { DeliveredPart, ExecutionRequest } from '../../router/executor/executor.ts';
import { compileConditions } from '../../router/operations/conditions.ts';
import { fieldSetNames, renameClientNames } from '../../router/operations/client-names.ts';
import { compileActiveDirectives } from '../../router/operations/incremental-directives.ts';
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
        leave(node) {
          const type = info.getType();
          const isList = type !== null && type !== undefined && isListType(getNullableType(type));
          if (node.name.value.startsWith('__') || isRoot() || getNamedType(type)?.name.startsWith('__')) return undefined;
          if (!isList || !chosen(2)) return undefined;
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

/** Whether two values are equal where both exist, and are not null. */
function agree(one: unknown, other: unknown): boolean {
  if (one === null || other === null || one === undefined || other === undefined) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return Object.entries(one).every(([key, value]) => agree(value, (other as Record<string, unknown>)[key]));
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
  readonly difference: { readonly parts: unknown; readonly whole: unknown; readonly lost: readonly string[] } | null;
  /** Number of later parts. */
  readonly parts: number;
  /** Whether a missing value reached the root of a part, so that only existing values are compared. */
  readonly isPartial: boolean;
}

export interface PartsComparison {
  readonly schema: GraphQLSchema;
  /** Returns null for an operation that the planner cannot plan. */
  run(experiment: Experiment): Promise<PartsOutcome | null>;
  close(): Promise<void>;
}

const keyOf = ({ message, path, extensions }: GraphError): string => JSON.stringify([message, path, extensions.code]);

/** Composes the subgraphs and builds what the experiments share. */
export function createPartsComparison(texts: AreaTexts): PartsComparison {
  const supergraphSdl = composed(texts);
  const schema = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES })
    .apiSchema()
    .toGraphQLJSSchema();
  const planner = createPlanner({ supergraphSdl });
  const generated = createGeneratedAreas(texts);
  const delayed = Object.entries(generated.areas).map(([area, client]): [string, SubgraphClient] => [
    area,
    {
      async query(request) {
        // responses in a random order: a part must not be delivered before what it selects
        await sleep([0, 1, 6][randomNumber(area, request.query) % 3]);
        return await client.query(request);
      },
    },
  ]);
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
        activeDirectives = compileActiveDirectives(document, operation)?.(coerced) ?? '';
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
      const isEqual = isPartial
        ? agree(merged, whole.data)
        : JSON.stringify(byName(merged)) === JSON.stringify(byName(whole.data));
      const reported = new Set([...errors, ...delivered.flatMap((part) => part.errors)].map(keyOf));
      const lost = isPartial ? [] : whole.errors.map(keyOf).filter((error) => !reported.has(error));
      const difference = isEqual && lost.length === 0 ? null : { parts: [data, ...incremental], whole: whole.data, lost };
      return { text: print(document), difference, parts: delivered.length, isPartial };
    },
    close: () => planner.close(),
  };
}
