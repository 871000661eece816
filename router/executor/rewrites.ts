/** The planner's rewrites: values set in what is sent, and aliases of its own taken back in what is received. */
import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import type { Entity } from './data.ts';
import { namesWithin } from './representations.ts';

type Rewrite = (value: unknown) => void;

const fragmentPrefix = '... on ';

function last(rewrite: FetchDataRewrite, name: string): Rewrite {
  if (rewrite.kind === 'ValueSetter') return (value) => void ((value as Entity)[name] = rewrite.setValueTo);
  return (value) => {
    const entity = value as Entity;
    if (!entity[name]) return;
    entity[rewrite.renameKeyTo] = entity[name];
    Reflect.deleteProperty(entity, name);
  };
}

/** At the end of the path, through every list on the way; an object that does not say its type is taken for the right one. */
function at(supergraph: GraphQLSchema, path: readonly string[], apply: Rewrite): Rewrite {
  const [step, ...rest] = path;
  const inner = step === undefined ? apply : at(supergraph, rest, apply);
  const names = step?.startsWith(fragmentPrefix) === true ? namesWithin(supergraph, step.slice(fragmentPrefix.length)) : null;
  const rewrite: Rewrite = (value) => {
    if (Array.isArray(value)) for (const each of value) rewrite(each);
    else if (typeof value === 'object' && value !== null) {
      const { __typename: type } = value as { __typename?: string };
      if (step === undefined) apply(value);
      else if (names === null) inner((value as Entity)[step]);
      else if (type === undefined || names.has(type)) inner(value);
    }
  };
  return rewrite;
}

/** All of a fetch's rewrites in one function; null when there are none. */
export function compileRewrites(supergraph: GraphQLSchema, rewrites: readonly FetchDataRewrite[] = []): Rewrite | null {
  const compiled = rewrites.flatMap((rewrite) => {
    const name = rewrite.path.at(-1);
    return name === undefined ? [] : [at(supergraph, rewrite.path.slice(0, -1), last(rewrite, name))];
  });
  if (compiled.length === 0) return null;
  return (value) => {
    for (const rewrite of compiled) rewrite(value);
  };
}
