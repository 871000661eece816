/** The planner's rewrites: sets values in representations, and renames its internal aliases in responses. */
import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import type { Entity } from './data.ts';
import { namesWithin } from './representations.ts';

type Rewrite = (value: unknown) => void;

const fragmentPrefix = '... on ';

function applyAtEnd(rewrite: FetchDataRewrite, name: string): (entity: Entity) => void {
  if (rewrite.kind === 'ValueSetter') return (entity) => void (entity[name] = rewrite.setValueTo);
  return (entity) => {
    if (!entity[name]) return;
    entity[rewrite.renameKeyTo] = entity[name];
    Reflect.deleteProperty(entity, name);
  };
}

/** Applies a rewrite at the end of a path, through every list; an object without a type name counts as matching. */
function rewriteAt(supergraph: GraphQLSchema, path: readonly string[], apply: (entity: Entity) => void): Rewrite {
  const [step, ...rest] = path;
  const inner = step === undefined ? null : rewriteAt(supergraph, rest, apply);
  const names = step?.startsWith(fragmentPrefix) === true ? namesWithin(supergraph, step.slice(fragmentPrefix.length)) : null;
  const rewrite: Rewrite = (value) => {
    if (Array.isArray(value)) for (const each of value) rewrite(each);
    else if (isRecord(value)) {
      const type = value['__typename'];
      if (step === undefined || inner === null) apply(value);
      else if (names === null) inner(value[step]);
      else if (type === undefined || (typeof type === 'string' && names.has(type))) inner(value);
    }
  };
  return rewrite;
}

/** All rewrites of a fetch as one function; null without any. */
export function compileRewrites(supergraph: GraphQLSchema, rewrites: readonly FetchDataRewrite[] = []): Rewrite | null {
  const compiled = rewrites.flatMap((rewrite) => {
    const name = rewrite.path.at(-1);
    return name === undefined ? [] : [rewriteAt(supergraph, rewrite.path.slice(0, -1), applyAtEnd(rewrite, name))];
  });
  if (compiled.length === 0) return null;
  return (value) => {
    for (const rewrite of compiled) rewrite(value);
  };
}
