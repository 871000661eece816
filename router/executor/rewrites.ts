/** The planner's rewrites: sets values in representations, and renames its internal aliases in responses. */
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import type { PlanPath, Rewrite } from '../planner/plan.ts';
import { hasType, type Entity, type Path } from './data.ts';
import { namesWithin } from './representations.ts';

type Apply = (value: unknown) => void;

/** A plan path whose type conditions include the types of interfaces and unions. */
export const pathOf = (supergraph: GraphQLSchema, path: PlanPath): Path =>
  path.map((step) =>
    typeof step === 'string' ? step : new Set(step.types.flatMap((type) => [...namesWithin(supergraph, type)])),
  );

function applyAtEnd(rewrite: Rewrite, key: string): (entity: Entity) => void {
  if (rewrite.kind === 'SetValue') return (entity) => void (entity[key] = rewrite.value);
  return (entity) => {
    if (!Object.hasOwn(entity, key)) return;
    entity[rewrite.name] = entity[key];
    Reflect.deleteProperty(entity, key);
  };
}

/** Applies a rewrite at the end of a path, through every list. */
function rewriteAt(path: Path, apply: (entity: Entity) => void): Apply {
  const [step, ...rest] = path;
  const inner = step === undefined ? null : rewriteAt(rest, apply);
  const rewrite: Apply = (value) => {
    if (Array.isArray(value)) for (const each of value) rewrite(each);
    else if (isRecord(value)) {
      if (step === undefined || inner === null) apply(value);
      else if (typeof step === 'string') inner(value[step]);
      else if (hasType(step, value)) inner(value);
    }
  };
  return rewrite;
}

/** All rewrites of a fetch as one function; null without any. */
export function compileRewrites(supergraph: GraphQLSchema, rewrites: readonly Rewrite[]): Apply | null {
  const compiled = rewrites.flatMap((rewrite) => {
    const key = rewrite.path.at(-1);
    if (typeof key !== 'string') return [];
    return [rewriteAt(pathOf(supergraph, rewrite.path.slice(0, -1)), applyAtEnd(rewrite, key))];
  });
  if (compiled.length === 0) return null;
  return (value) => {
    for (const rewrite of compiled) rewrite(value);
  };
}
