/** Coerces the variables of an operation to their types; error texts are bounded, whatever the client sent. */
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

/** Returns coerced values with defaults applied. Throws parameter_invalid with the first violations. */
export type Coerce = (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** Maximum number of reported violations, and of characters per value and per message. */
const reported = { violations: 10, value: 100, detail: 400 };

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

function printed(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value === 'object' && value !== null) return '{…}';
  return cut(typeof value === 'string' ? JSON.stringify(cut(value, reported.value)) : String(value), reported.value + 3);
}

const pathText = (name: string, path: readonly (string | number)[]): string =>
  [name, ...path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))].join('');

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly fallback: ValueNode | undefined;
  /** The position of the value is non-null, although the variable is nullable (GraphQL, section 5.8.5 "All Variable Usages Are Allowed"). */
  readonly rejectsNull: boolean;
}

function variableOf(schema: GraphQLSchema, definition: VariableDefinitionNode, neverNull: ReadonlySet<string>): Variable[] {
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return [];
  const name = definition.variable.name.value;
  return [{ name, type, fallback: definition.defaultValue, rejectsNull: isNonNullType(type) || neverNull.has(name) }];
}

/** Variables in non-null positions of one operation and the fragments it uses. */
function neverNullOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>();
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const info = new TypeInfo(schema);
  visit(
    own,
    visitWithTypeInfo(info, {
      // a definition is not a use
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
    const violations: Violation[] = [];
    // without a prototype, so that no variable name is special. Cast: Object.create returns any.
    const values = Object.create(null) as Record<string, unknown>;
    const rejection = (): Problem =>
      new Problem('parameter_invalid', violations[0]?.detail ?? 'A variable is not valid.', { errors: violations });
    function report(parameter: string, detail: string): void {
      violations.push({ parameter, code: 'invalid', detail: cut(detail, reported.detail) });
      // bounds the work for values with thousands of violations
      if (violations.length === reported.violations) throw rejection();
    }
    for (const { name, type, fallback, rejectsNull } of variables) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) {
        if (fallback !== undefined) values[name] = valueFromAST(fallback, type);
        else if (isNonNullType(type)) report(name, `Variable "$${name}" of required type "${String(type)}" was not provided.`);
      } else if (value === null && rejectsNull)
        report(name, `Variable "$${name}" must not be null where it is used. Omit it or set a value.`);
      else {
        values[name] = coerceInputValue(value, type, (path, wrong, error: GraphQLError) => {
          const where = path.length === 0 ? '' : ` at "${pathText(name, path)}"`;
          report(name, `Variable "$${name}" got invalid value ${printed(wrong)}${where}; ${error.message}`);
        });
      }
    }
    if (violations.length > 0) throw rejection();
    return values;
  };
}
