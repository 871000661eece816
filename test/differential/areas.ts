/** In-memory subgraphs for any SDL. Values, nulls, errors and missing entities derive from seed, type, ID, field and arguments, so that subgraphs are consistent. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  execute,
  getNamedType,
  getNullableType,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  parse,
  validate,
} from 'graphql';
import type { DocumentNode, GraphQLFieldResolver, GraphQLOutputType, GraphQLSchema } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import type { SubgraphResponse, SubgraphClient } from '../../schema/subgraph-client.ts';
import { randomNumber, oneIn } from './random-number.ts';
import { readEntities, type Entities } from './entities.ts';

/** SDL by area. */
export type AreaTexts = Readonly<Record<string, string>>;

/** The failures that an experiment injects. */
export const failureModes = ['none', 'nulls', 'absences', 'faults', 'all'] as const;
export type FailureMode = (typeof failureModes)[number];

/** The subgraphs of an experiment. */
export interface GeneratedAreas {
  readonly areas: Readonly<Record<string, SubgraphClient>>;
  /** Starts an experiment: resets the state and selects the data. */
  startExperiment(seed: number, failureMode: FailureMode): void;
  /** Response keys of the mutations since the start, in the order of their execution. */
  executedMutations(): readonly string[];
  /** Whether a subgraph has received an invalid operation since `begin`. */
  hasReceivedInvalid(): boolean;
}

/** The source object of a resolver. */
interface SourceObject {
  readonly __typename: string;
  /** Unique within the type. */
  readonly id: string;
  /** For fields with @requires; null for an object that is not an entity from the router. */
  readonly representation: Readonly<Record<string, unknown>> | null;
}

interface State {
  seed: number;
  failureMode: FailureMode;
  /** Response keys of the executed mutations, in order. */
  mutations: string[];
  receivedInvalid: boolean;
}

const numbers: Readonly<Record<string, (number: number) => unknown>> = {
  Int: (number) => number % 1000,
  Float: (number) => (number % 1000) / 8,
  Boolean: (number) => number % 2 === 0,
};

function fieldResolver(area: string, state: State, entities: Entities): GraphQLFieldResolver<unknown, unknown> {
  const canFail = (failureMode: FailureMode): boolean => state.failureMode === failureMode || state.failureMode === 'all';

  function value(type: GraphQLOutputType, place: string, schema: GraphQLSchema): unknown {
    const { seed } = state;
    if (!isNonNullType(type) && canFail('nulls') && oneIn(6, seed, 'null', place)) return null;
    const bare = getNullableType(type);
    if (isListType(bare)) {
      const length = randomNumber(seed, 'length', place) % 4;
      return Array.from({ length }, (_, index) => value(bare.ofType, `${place}.${index}`, schema));
    }
    const number = randomNumber(seed, place);
    if (isEnumType(bare)) return bare.getValues()[number % bare.getValues().length]?.value;
    if (isLeafType(bare)) return numbers[bare.name]?.(number) ?? place;
    if (isListType(bare)) throw new Error('unexpected list type');
    const types = isAbstractType(bare) ? schema.getPossibleTypes(bare) : [bare];
    const type_ = types[number % types.length];
    if (type_ === undefined) throw new Error(`${bare.name} has no types`);
    const id = entities.isEntity(type_.name) ? String(entities.numbered(type_.name, number)) : place;
    return { __typename: type_.name, id, representation: null } satisfies SourceObject;
  }

  return (source, given, _, { parentType, fieldName, returnType, schema, path }) => {
    const { seed } = state;
    const { id, representation } = (source ?? { id: '', representation: null }) as SourceObject;
    if (entities.isKey(parentType.name, fieldName) && isLeafType(getNamedType(returnType)))
      return getNamedType(returnType).name === 'Int' ? Number(id) : id;
    const requiredValue = (name: string): string => {
      if (representation !== null) return `${name}=${JSON.stringify(sorted(representation[name]))}`;
      const field = parentType.getFields()[name];
      // an area that @provides the field has its value
      return field === undefined
        ? ''
        : `${name}=${JSON.stringify(value(field.type, `${parentType.name}:${id}.${name}`, schema))}`;
    };
    // with failures, a required value can come from another area, or from the area itself
    const isExact = state.failureMode === 'none' || state.failureMode === 'nulls';
    const required = isExact ? entities.requires(area, parentType.name, fieldName).map(requiredValue).join('') : '';
    if (schema.getMutationType() === parentType) state.mutations.push(String(path.key));
    const argumentsText = Object.keys(given).length === 0 ? '' : JSON.stringify(given);
    const place = `${parentType.name}:${id}.${fieldName}${argumentsText}${required}`;
    if (canFail('faults') && oneIn(10, seed, 'fault', place)) {
      const code = oneIn(2, seed, 'code', place) ? 'conflict' : 'gone';
      throw new GraphQLError(`error of ${place}`, { extensions: { code } });
    }
    return value(returnType, place, schema);
  };
}

/** Members by name: planners write a representation in different orders. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

function resolveEntities(area: string, state: State, entities: Entities, schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()['_entities'];
  if (field === undefined) return;
  field.resolve = (_: unknown, { representations }: { representations: Record<string, unknown>[] }) =>
    representations.map((representation): unknown => {
      const name = String(representation['__typename']);
      const id = entities.idOf(representation);
      if (id === null) return new GraphQLError(`${area} received no key of ${name}`, { extensions: { code: 'conflict' } });
      const { seed, failureMode } = state;
      if ((failureMode === 'absences' || failureMode === 'all') && oneIn(6, seed, 'absent', area, id)) return null;
      if ((failureMode === 'faults' || failureMode === 'all') && oneIn(15, seed, 'refused', area, id))
        return new GraphQLError(`${area} rejects ${name}:${id}`, { extensions: { code: 'conflict' } });
      const type = schema.getType(name);
      const types = isInterfaceType(type) ? schema.getPossibleTypes(type).map((each) => each.name) : [name];
      const concrete = types.find((each) => entities.isNumbered(each, Number(id))) ?? name;
      return { __typename: concrete, id, representation } satisfies SourceObject;
    });
}

function createArea(area: string, sdl: string, state: State, entities: Entities): SubgraphClient {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl) });
  resolveEntities(area, state, entities, schema);
  const resolver = fieldResolver(area, state, entities);
  const documents = new Map<string, DocumentNode>();

  function documentOf(query: string): DocumentNode {
    const known = documents.get(query);
    if (known !== undefined) return known;
    const document = parse(query);
    const [fault] = validate(schema, document);
    if (fault !== undefined) {
      state.receivedInvalid = true;
      throw new Error(`${area} received an invalid operation: ${fault.message} ${query}`);
    }
    documents.clear();
    documents.set(query, document);
    return document;
  }

  return {
    async query({ query, variables, operationName }): Promise<SubgraphResponse> {
      const { seed, failureMode } = state;
      if ((failureMode === 'faults' || failureMode === 'all') && oneIn(20, seed, 'away', area))
        throw new Problem('upstream_unavailable', `${area} is unavailable.`);
      const { data, errors } = await execute({
        schema,
        document: documentOf(query),
        operationName,
        variableValues: variables,
        fieldResolver: resolver,
        typeResolver: (value) => (value as SourceObject).__typename,
      });
      const faults = errors?.map(({ message, path, extensions: { code = 'internal', ...others } }) => ({
        message,
        path,
        extensions: { ...others, code },
      }));
      return faults === undefined ? { data } : { data, errors: faults };
    },
  };
}

/** Builds the subgraphs. Throws Error for SDL that is not a valid subgraph. */
export function createGeneratedAreas(texts: AreaTexts): GeneratedAreas {
  const state: State = { seed: 0, failureMode: 'none', mutations: [], receivedInvalid: false };
  const entities = readEntities(texts);
  const areas = Object.entries(texts).map(([area, sdl]) => [area, createArea(area, sdl, state, entities)] as const);
  return {
    areas: Object.fromEntries(areas),
    startExperiment: (seed, failureMode) =>
      void Object.assign(state, { seed, failureMode, mutations: [], receivedInvalid: false }),
    executedMutations: () => state.mutations,
    hasReceivedInvalid: () => state.receivedInvalid,
  };
}
