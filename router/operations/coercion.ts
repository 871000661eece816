/** Values of an operation's variables, as their types and places want them; what is told of faults is short whatever was sent. */
import {
  coerceInputValue,
  isInputType,
  isNonNullType,
  separateOperations,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type {
  DocumentNode,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  ValueNode,
  VariableDefinitionNode,
  GraphQLError,
} from 'graphql';
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';

/** Values as the variables' types say, defaults applied. Throws parameter_invalid naming the first faults. */
export type Coerce = (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** Faults told of at most, and characters of a value and of a sentence about it. */
const told = { faults: 10, value: 100, detail: 400 };

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value === 'object' && value !== null) return '{…}';
  return cut(typeof value === 'string' ? JSON.stringify(cut(value, told.value)) : String(value), told.value + 3);
}

const place = (name: string, path: readonly (string | number)[]): string =>
  [name, ...path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))].join('');

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly fallback: ValueNode | undefined;
  /** Where the value goes no null may be, though the type lets it in (GraphQL, section 5.8.5 "All Variable Usages Are Allowed"). */
  readonly refusesNull: boolean;
}

function variableOf(schema: GraphQLSchema, definition: VariableDefinitionNode, neverNull: ReadonlySet<string>): Variable[] {
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return [];
  const name = definition.variable.name.value;
  return [{ name, type, fallback: definition.defaultValue, refusesNull: isNonNullType(type) || neverNull.has(name) }];
}

/** Variables that stand where no null may be, within one operation and the fragments it uses. */
function neverNullOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>();
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const info = new TypeInfo(schema);
  visit(
    own,
    visitWithTypeInfo(info, {
      // a definition is no use
      VariableDefinition: () => false,
      Variable: (node) => void (isNonNullType(info.getInputType()) && names.add(node.name.value)),
    }),
  );
  return names;
}

/** Compiled once per operation of a valid document. */
export function compileCoercion(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Coerce {
  const definitions = operation.variableDefinitions ?? [];
  const neverNull = definitions.length === 0 ? new Set<string>() : neverNullOf(schema, document, operation);
  const variables = definitions.flatMap((definition) => variableOf(schema, definition, neverNull));

  return (given) => {
    const faults: Violation[] = [];
    const values = Object.create(null) as Record<string, unknown>;
    const refusal = (): Problem =>
      new Problem('parameter_invalid', faults[0]?.detail ?? 'A variable is not valid.', { errors: faults });
    function fault(parameter: string, detail: string): void {
      faults.push({ parameter, code: 'invalid', detail: cut(detail, told.detail) });
      // what is wrong in thousands of places is not read to its end
      if (faults.length === told.faults) throw refusal();
    }
    for (const { name, type, fallback, refusesNull } of variables) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) {
        if (fallback !== undefined) values[name] = valueFromAST(fallback, type);
        else if (isNonNullType(type)) fault(name, `Variable "$${name}" of required type "${String(type)}" was not provided.`);
      } else if (value === null && refusesNull)
        fault(name, `Variable "$${name}" must not be null where it is used: leave it out or give a value.`);
      else {
        values[name] = coerceInputValue(value, type, (path, wrong, error: GraphQLError) => {
          const where = path.length === 0 ? '' : ` at "${place(name, path)}"`;
          fault(name, `Variable "$${name}" got invalid value ${shown(wrong)}${where}; ${error.message}`);
        });
      }
    }
    if (faults.length > 0) throw refusal();
    return values;
  };
}
