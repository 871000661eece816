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
import type { SubgraphResponse, SubgraphClient } from '../../schema/subgraph-client.ts';
import { chance, once } from './chance.ts';
import { readEntities, type Entities } from './entities.ts';

/** SDL by area. */
export type AreaTexts = Readonly<Record<string, string>>;

/** The failures that an experiment injects. */
export const hardships = ['none', 'nulls', 'absences', 'faults', 'all'] as const;
export type Hardship = (typeof hardships)[number];

/** The subgraphs of an experiment. */
export interface World {
  readonly areas: Readonly<Record<string, SubgraphClient>>;
  /** Starts an experiment: resets the state and selects the data. */
  begin(seed: number, hardship: Hardship): void;
  /** Whether a subgraph has received an invalid operation since `begin`. */
  wasMisasked(): boolean;
}

/** The source object of a resolver. */
interface Shown {
  readonly __typename: string;
  /** Unique within the type. */
  readonly id: string;
  /** The representation of the entity, for fields with @requires. */
  readonly representation: string;
}

interface State {
  seed: number;
  hardship: Hardship;
  /** Number of executed mutations: each one changes the values of later ones. */
  mutations: number;
  misasked: boolean;
}

const numbers: Readonly<Record<string, (number: number) => unknown>> = {
  Int: (number) => number % 1000,
  Float: (number) => (number % 1000) / 8,
  Boolean: (number) => number % 2 === 0,
};

function fieldResolver(area: string, state: State, entities: Entities): GraphQLFieldResolver<unknown, unknown> {
  const may = (hardship: Hardship): boolean => state.hardship === hardship || state.hardship === 'all';

  function value(type: GraphQLOutputType, place: string, schema: GraphQLSchema): unknown {
    const { seed } = state;
    if (!isNonNullType(type) && may('nulls') && once(6, seed, 'null', place)) return null;
    const bare = getNullableType(type);
    if (isListType(bare)) {
      const length = chance(seed, 'length', place) % 4;
      return Array.from({ length }, (_, index) => value(bare.ofType, `${place}.${index}`, schema));
    }
    const number = chance(seed, place);
    if (isEnumType(bare)) return bare.getValues()[number % bare.getValues().length]?.value;
    if (isLeafType(bare)) return numbers[bare.name]?.(number) ?? place;
    if (isListType(bare)) throw new Error('unexpected list type');
    const types = isAbstractType(bare) ? schema.getPossibleTypes(bare) : [bare];
    const type_ = types[number % types.length];
    if (type_ === undefined) throw new Error(`${bare.name} has no types`);
    const id = entities.isEntity(type_.name) ? String(entities.numbered(type_.name, number)) : place;
    return { __typename: type_.name, id, representation: '' } satisfies Shown;
  }

  return (source, given, _, { parentType, fieldName, returnType, schema }) => {
    const { seed } = state;
    const { id, representation } = (source ?? { id: '', representation: '' }) as Shown;
    if (entities.isKey(parentType.name, fieldName) && isLeafType(getNamedType(returnType)))
      return getNamedType(returnType).name === 'Int' ? Number(id) : id;
    const required = entities.requires(area, parentType.name, fieldName) ? representation : '';
    const before = schema.getMutationType() === parentType ? String((state.mutations += 1)) : '';
    const asked = Object.keys(given).length === 0 ? '' : JSON.stringify(given);
    const place = `${parentType.name}:${id}.${fieldName}${asked}${required}${before}`;
    if (may('faults') && once(10, seed, 'fault', place)) {
      const code = once(2, seed, 'code', place) ? 'conflict' : 'gone';
      throw new GraphQLError(`error of ${place}`, { extensions: { code } });
    }
    return value(returnType, place, schema);
  };
}

function resolveEntities(area: string, state: State, entities: Entities, schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()['_entities'];
  if (field === undefined) return;
  field.resolve = (_: unknown, { representations }: { representations: Record<string, unknown>[] }) =>
    representations.map((representation): unknown => {
      const name = String(representation['__typename']);
      const id = entities.idOf(representation);
      if (id === null) return new GraphQLError(`${area} received no key of ${name}`, { extensions: { code: 'conflict' } });
      const { seed, hardship } = state;
      if ((hardship === 'absences' || hardship === 'all') && once(6, seed, 'absent', area, id)) return null;
      if ((hardship === 'faults' || hardship === 'all') && once(15, seed, 'refused', area, id))
        return new GraphQLError(`${area} rejects ${name}:${id}`, { extensions: { code: 'conflict' } });
      const type = schema.getType(name);
      const types = isInterfaceType(type) ? schema.getPossibleTypes(type).map((each) => each.name) : [name];
      const concrete = types.find((each) => entities.isNumbered(each, Number(id))) ?? name;
      return { __typename: concrete, id, representation: JSON.stringify(representation) } satisfies Shown;
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
      state.misasked = true;
      throw new Error(`${area} received an invalid operation: ${fault.message} ${query}`);
    }
    documents.clear();
    documents.set(query, document);
    return document;
  }

  return {
    async query({ query, variables, operationName }): Promise<SubgraphResponse> {
      const { seed, hardship } = state;
      if ((hardship === 'faults' || hardship === 'all') && once(20, seed, 'away', area))
        throw new Problem('upstream_unavailable', `${area} is unavailable.`);
      const { data, errors } = await execute({
        schema,
        document: documentOf(query),
        operationName,
        variableValues: variables,
        fieldResolver: resolver,
        typeResolver: (value) => (value as Shown).__typename,
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
export function createWorld(texts: AreaTexts): World {
  const state: State = { seed: 0, hardship: 'none', mutations: 0, misasked: false };
  const entities = readEntities(texts);
  const areas = Object.entries(texts).map(([area, sdl]) => [area, createArea(area, sdl, state, entities)] as const);
  return {
    areas: Object.fromEntries(areas),
    begin: (seed, hardship) => void Object.assign(state, { seed, hardship, mutations: 0, misasked: false }),
    wasMisasked: () => state.misasked,
  };
}
