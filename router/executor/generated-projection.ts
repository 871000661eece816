/**
 * The projection of a response without errors, as generated code. It stops at the first value that needs an error, an absent entity or an
 * unusual type; the projection by closures (projection.ts) then starts again and reports what is wrong.
 */
import { isAbstractType, isCompositeType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLObjectType, GraphQLOutputType, SelectionSetNode } from 'graphql';
import { fieldDefinition, fragmentsOf } from '../operations/document-types.ts';
import { generate, quoted } from '../../platform/code-generation.ts';
import { createCollectFields } from './collect-fields.ts';
import type { Entity } from './data.ts';
import type { SelectedOperation } from './projection.ts';

/** Completed objects by function, for objects that are referenced from several places; null without any. */
type Shared = Map<unknown, unknown>[] | null;

/** The response; null when the projection by closures must complete it. */
export type FastProject = (data: Entity, hasSharedObjects: boolean) => Record<string, unknown> | null;

/** Thrown by generated code, and caught here. */
const unusual = Symbol('unusual');

/** Conditions of valid leaf values. */
const leafTests: Readonly<Record<string, string>> = {
  Boolean: "typeof x === 'boolean'",
  Int: 'Number.isSafeInteger(x)',
  Float: "typeof x === 'number' && Number.isFinite(x)",
  String: "typeof x === 'string'",
  ID: "typeof x === 'string' || Number.isSafeInteger(x)",
};

/** Types of an interface or a union for which code is generated. */
const maxTypes = 8;

/** Members of every object: an alias with such a name reads the prototype. */
const isInherited = (key: string): boolean => key in Object.prototype;

/** Collects the code of an operation; `expression` returns null for what is not generated. */
function createWriter({ schema, document, operation, conditions }: SelectedOperation) {
  const collectFields = createCollectFields(schema, fragmentsOf(document), conditions);
  const functions: string[] = [];
  const enums: Set<unknown>[] = [];
  let names = 0;

  function define(parameters: string, body: string): string {
    const name = `f${names++}`;
    functions.push(`function ${name}(${parameters}) { ${body} }`);
    return name;
  }

  /** An expression of `x`, a value of this type, that is not undefined. */
  function expression(type: GraphQLOutputType, sources: readonly SelectionSetNode[]): string | null {
    if (isNonNullType(type)) {
      const inner = nonNull(type.ofType, sources);
      return inner === null ? null : `(x === null || x === undefined ? fail() : ${inner})`;
    }
    const inner = nonNull(type, sources);
    return inner === null ? null : `(x === null || x === undefined ? null : ${inner})`;
  }

  function nonNull(type: GraphQLOutputType, sources: readonly SelectionSetNode[]): string | null {
    if (isListType(type)) {
      const item = expression(type.ofType, sources);
      if (item === null) return null;
      const name = define(
        'list, shared',
        `if (!Array.isArray(list)) fail(); const length = list.length, items = new Array(length);
         for (let index = 0; index < length; index += 1) { const x = list[index]; items[index] = ${item}; } return items;`,
      );
      return `${name}(x, shared)`;
    }
    if (isObjectType(type)) return objectOf(type, sources, true);
    if (isAbstractType(type)) return abstractOf(schema.getPossibleTypes(type), sources);
    if (isEnumType(type)) {
      const index = enums.push(new Set(type.getValues().map(({ name }) => name))) - 1;
      return `(enums[${index}].has(x) ? x : fail())`;
    }
    const test = 'name' in type ? leafTests[type.name] : undefined;
    return test === undefined ? 'x' : `(${test} ? x : fail())`;
  }

  function abstractOf(types: readonly GraphQLObjectType[], sources: readonly SelectionSetNode[]): string | null {
    if (types.length > maxTypes) return null;
    const cases = types.map((type) => {
      const object = objectOf(type, sources, false);
      return object === null ? null : `case ${quoted(type.name)}: return ${object};`;
    });
    if (cases.includes(null)) return null;
    return `${define('x, shared', `switch (x.__typename) { ${cases.join(' ')} default: fail(); }`)}(x, shared)`;
  }

  function objectOf(type: GraphQLObjectType, sources: readonly SelectionSetNode[], isChecked: boolean): string | null {
    const members: string[] = [];
    for (const [key, fields] of collectFields(sources, type)) {
      const name = fields[0]?.name.value ?? '';
      if (isInherited(key) || name === '__schema' || name === '__type') return null;
      if (name === '__typename') {
        members.push(`${quoted(key)}: ${quoted(type.name)}`);
        continue;
      }
      const definition = fieldDefinition(type, name);
      const inner = fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
      const value = definition === undefined ? null : expression(definition.type, inner);
      if (value === null) return null;
      members.push(`${quoted(key)}: (x = object[${quoted(key)}], ${value})`);
    }
    const check = isChecked
      ? `const type = object.__typename; if (type !== undefined && type !== ${quoted(type.name)}) fail();`
      : '';
    const index = names;
    const body = `${check} if (shared !== null) { const known = shared[${index}]?.get(object); if (known !== undefined) return known; }
      let x; const completed = { ${members.join(', ')} };
      if (shared !== null) (shared[${index}] ??= new Map()).set(object, completed); return completed;`;
    return `${define('object, shared', body)}(x, shared)`;
  }

  return {
    /** The code of a function of the data, and the values it refers to; null when it is not generated. */
    write(): { readonly body: string; readonly enums: readonly Set<unknown>[] } | null {
      const root = schema.getRootType(operation.operation);
      if (!isCompositeType(root) || !isObjectType(root)) return null;
      const object = objectOf(root, [operation.selectionSet], true);
      return object === null ? null : { body: `${functions.join('\n')}\nreturn (x, shared) => ${object};`, enums };
    },
  };
}

function fail(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- without the cost of a stack: the response is projected again
  throw unusual;
}

/** Null for operations with introspection, interfaces of many types, and aliases that objects inherit. */
export function generateProjection(selected: SelectedOperation): FastProject | null {
  const code = createWriter(selected).write();
  if (code === null) return null;
  const project = generate<(data: Entity, shared: Shared) => Record<string, unknown>>({ fail, enums: code.enums }, code.body);
  return (data, hasSharedObjects) => {
    try {
      return project(data, hasSharedObjects ? [] : null);
    } catch (error) {
      if (error === unusual) return null;
      throw error;
    }
  };
}
