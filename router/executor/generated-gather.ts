/** Gathers representations with generated code: for the usual fetch, of entities of one type by leaf fields, without rewrites. */
import type { GraphQLSchema } from 'graphql';
import type { RequiredField } from '../planner/plan.ts';
import { generate, quoted } from '../../platform/code-generation.ts';
import type { Entity, Path } from './data.ts';
import { namesWithin } from './representations.ts';
import type { FetchPart } from './schedule.ts';

/** Calls `collect` with each object at a path, its representation, and a key that equal representations share, in order. */
export type Visit = (data: Entity, collect: (object: Entity, representation: Entity, key: unknown) => void) => void;

/** The leaf fields of the only type that a fetch requires; null for other fetches. */
function leavesOf({
  fetch: { entities },
}: FetchPart): { readonly type: string; readonly leaves: readonly RequiredField[] } | null {
  const [only] = entities?.selections ?? [];
  if (entities?.selections.length !== 1 || entities.rewrites.length > 0 || only?.kind !== 'Fragment') return null;
  const leaves = only.selections.filter((each) => each.kind === 'Field').filter(({ selections }) => selections === null);
  return leaves.length === only.selections.length ? { type: only.type, leaves } : null;
}

/** The key of a representation among those of one type: its only other field, or its JSON. Objects are not compared. */
function keyOf(leaves: readonly RequiredField[]): string {
  const others = leaves.map(({ name }, index) => ({ name, value: `v${index}` })).filter(({ name }) => name !== '__typename');
  const [only] = others;
  if (only === undefined || others.length > 1) return 'JSON.stringify(representation)';
  return `(typeof ${only.value} === 'object' ? representation : ${only.value})`;
}

function visitOf(path: Path, type: string, leaves: readonly RequiredField[]): Visit {
  const values: Record<string, unknown> = {};
  const functions = path
    .filter((step) => step !== '@')
    .map((step, index) => {
      const rest = `s${index + 1}`;
      const list = `if (Array.isArray(value)) { for (let at = 0; at < value.length; at += 1) s${index}(value[at], collect); return; }`;
      const guard = `if (value === null || typeof value !== 'object') return; ${list}`;
      if (typeof step === 'string')
        return `function s${index}(value, collect) { ${guard} ${rest}(value[${quoted(step)}], collect); }`;
      values[`types${index}`] = step;
      const test = `const type = value.__typename; if (typeof type !== 'string' || types${index}.has(type))`;
      return `function s${index}(value, collect) { ${guard} ${test} ${rest}(value, collect); }`;
    });
  const end = functions.length;
  const reads = leaves.map(({ key }, index) => `const v${index} = value[${quoted(key)}]; if (v${index} === undefined) return;`);
  const members = leaves.map(({ name }, index) => `${quoted(name)}: v${index}`).join(', ');
  const last = `function s${end}(value, collect) {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) { for (let at = 0; at < value.length; at += 1) s${end}(value[at], collect); return; }
    if (value.__typename !== ${quoted(type)}) return;
    ${reads.join(' ')} const representation = { ${members} }; collect(value, representation, ${keyOf(leaves)});
  }`;
  return generate<Visit>(values, `${functions.join('\n')}\n${last}\nreturn s0;`);
}

/** One function per path; null when the fetch is not of the usual kind. */
export function generateVisits(supergraph: GraphQLSchema, part: FetchPart): readonly Visit[] | null {
  const usual = leavesOf(part);
  if (usual === null || namesWithin(supergraph, usual.type).size !== 1) return null;
  if (!usual.leaves.some(({ name }) => name === '__typename')) return null;
  return part.paths.map((path) => visitOf(path, usual.type, usual.leaves));
}
