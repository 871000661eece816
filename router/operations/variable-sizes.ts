/** Sizes and conditions of an operation that depend on its variables, with the variables' defaults applied. */
import { Kind, valueFromASTUntyped } from 'graphql';
import type { OperationDefinitionNode, SelectionNode, ValueNode } from 'graphql';

type Variables = Readonly<Record<string, unknown>>;
type Size = (variables: Variables) => number;

export interface VariableSizes {
  /** The number that an argument like `first` has. */
  sizeOf(value: ValueNode | undefined, fallback: unknown): Size;
  /** The number of items in a list argument; a single value counts as a list of one. */
  lengthOf(value: ValueNode | undefined): Size;
  /** Whether @skip and @include keep a selection; null without such directives. */
  inclusionOf(selection: SelectionNode): ((variables: Variables) => boolean) | null;
}

const atLeastZero = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

export function createVariableSizes(operation: OperationDefinitionNode): VariableSizes {
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue === undefined ? undefined : valueFromASTUntyped(defaultValue),
    ]),
  );

  /** An explicit null does not use the default: where null is not allowed, coercion rejects it (coercion.ts). */
  const valueOf = (name: string, variables: Variables): unknown =>
    variables[name] === undefined ? defaults.get(name) : variables[name];

  return {
    sizeOf(value, fallback) {
      if (value === undefined) return () => atLeastZero(fallback);
      if (value.kind === Kind.INT) return () => atLeastZero(Number(value.value));
      if (value.kind !== Kind.VARIABLE) return () => atLeastZero(fallback);
      const name = value.name.value;
      return (variables) => atLeastZero(valueOf(name, variables) ?? fallback);
    },
    lengthOf(value) {
      if (value === undefined || value.kind === Kind.NULL) return () => 0;
      if (value.kind === Kind.LIST) return () => value.values.length;
      if (value.kind !== Kind.VARIABLE) return () => 1;
      const name = value.name.value;
      return (variables) => {
        const items = valueOf(name, variables);
        return Array.isArray(items) ? items.length : items === undefined || items === null ? 0 : 1;
      };
    },
    inclusionOf({ directives }) {
      const conditions = directives?.filter(({ name }) => name.value === 'skip' || name.value === 'include') ?? [];
      if (conditions.length === 0) return null;
      return (variables) =>
        conditions.every(({ name, arguments: given }) => {
          const value = given?.[0]?.value;
          const actual =
            value?.kind === Kind.VARIABLE ? valueOf(value.name.value, variables) : value?.kind === Kind.BOOLEAN && value.value;
          return actual === (name.value === 'include');
        });
    },
  };
}
