/** The executable documents of an annotated operation, which the router plans: without the REST directives. */
import { Kind, print, visit } from 'graphql';
import type {
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
  VariableDefinitionNode,
} from 'graphql';

/** A top-level member of the resource that an operation returns. */
export interface Member {
  readonly name: string;
  /** True when responses contain it only on request. */
  readonly optional: boolean;
}

/** An operation with its fragments, and the field that selects the resource (the root, or the `data` of a list). */
export interface Annotated {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly resource: FieldNode;
}

/** Members that are fetched even when `fields=` omits them: the entity tag needs the version. */
export const alwaysFetched: readonly string[] = ['id', 'version'];

export const responseName = (field: FieldNode): string => field.alias?.value ?? field.name.value;

const isOptional = (directive: DirectiveNode): boolean => directive.name.value === 'optional';
const name = (value: string) => ({ kind: Kind.NAME, value }) as const;

/** The fields at the top of a selection, including those in fragments. */
export function topFields(
  selections: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  return (selections?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return topFields(selection.selectionSet, fragments);
    return topFields(fragments.get(selection.name.value)?.selectionSet, fragments);
  });
}

/** The members that `fields=` and `include=` can select. */
export function membersOf({ resource, fragments }: Annotated): Member[] {
  const members = new Map<string, Member>();
  for (const field of topFields(resource.selectionSet, fragments)) {
    members.set(responseName(field), { name: responseName(field), optional: field.directives?.some(isOptional) ?? false });
  }
  return [...members.values()];
}

function includeIf(variable: string): DirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: name('include'),
    arguments: [{ kind: Kind.ARGUMENT, name: name('if'), value: { kind: Kind.VARIABLE, name: name(variable) } }],
  };
}

function falseByDefault(variable: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: name(variable) },
    type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name('Boolean') } },
    defaultValue: { kind: Kind.BOOLEAN, value: false },
  };
}

/** Inlines the fragments at the top of the resource, and maps each of its fields. */
function mapTopFields(
  set: SelectionSetNode,
  fragments: Annotated['fragments'],
  map: (field: FieldNode) => FieldNode,
): SelectionSetNode {
  return {
    kind: Kind.SELECTION_SET,
    selections: set.selections.map((selection) => {
      if (selection.kind === Kind.FIELD) return map(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return { ...selection, selectionSet: mapTopFields(selection.selectionSet, fragments, map) };
      const fragment = fragments.get(selection.name.value);
      if (!fragment) return selection;
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: fragment.typeCondition,
        selectionSet: mapTopFields(fragment.selectionSet, fragments, map),
      };
    }),
  };
}

/** Memoizes a function of a syntax node, for shared nodes. */
function memoizeByNode<Node extends object, Value>(compute: (node: Node) => Value): (node: Node) => Value {
  const known = new WeakMap<Node, Value>();
  return (node) => {
    const value = known.get(node) ?? compute(node);
    known.set(node, value);
    return value;
  };
}

const spreadsIn = memoizeByNode((node: OperationDefinitionNode | FragmentDefinitionNode): readonly string[] => {
  const names: string[] = [];
  visit(node, { FragmentSpread: (spread) => void names.push(spread.name.value) });
  return names;
});

/** The fields of a definition that are marked as @optional. */
export const optionalFieldsOf = memoizeByNode((node: OperationDefinitionNode | FragmentDefinitionNode): readonly FieldNode[] => {
  const fields: FieldNode[] = [];
  visit(node, { Field: (field) => void (field.directives?.some(isOptional) && fields.push(field)) });
  return fields;
});

/** The fragments that an operation uses, directly or indirectly, by name. */
export function usedFragments(operation: OperationDefinitionNode, fragments: Annotated['fragments']): FragmentDefinitionNode[] {
  const used = new Map<string, FragmentDefinitionNode>();
  const follow = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    for (const spread of spreadsIn(node)) {
      const fragment = fragments.get(spread);
      if (!fragment || used.has(spread)) continue;
      used.set(spread, fragment);
      follow(fragment);
    }
  };
  follow(operation);
  return [...used.values()].sort((a, b) => a.name.value.localeCompare(b.name.value));
}

/** The text of a definition without REST directives and descriptions. */
function plain(definition: OperationDefinitionNode | FragmentDefinitionNode): string {
  return print(
    visit(definition, {
      OperationDefinition: (node) => withoutDescription(node),
      FragmentDefinition: (node) => withoutDescription(node),
      VariableDefinition: (node) => withoutDescription(node),
      Field: (field) => {
        if (!field.directives?.some(isOptional)) return undefined;
        return {
          ...field,
          directives: [
            ...field.directives.filter((directive) => !isOptional(directive)),
            includeIf(`include_${responseName(field)}`),
          ],
        };
      },
    }),
  );
}

const plainFragment = memoizeByNode((fragment: FragmentDefinitionNode) => plain(fragment));

function text(
  operation: OperationDefinitionNode,
  fragments: Annotated['fragments'],
  extra: readonly VariableDefinitionNode[],
): string {
  const definition: OperationDefinitionNode = {
    ...operation,
    directives: [],
    variableDefinitions: [...(operation.variableDefinitions ?? []), ...extra],
  };
  return [plain(definition), ...usedFragments(operation, fragments).map(plainFragment)].join('\n\n');
}

function withoutDescription<Node extends object>(node: Node): Node {
  return { ...node, description: undefined };
}

/** The document for requests without `fields=`: each optional member depends on its variable `$include_…`. */
export function wholeDocument(annotated: Annotated): string {
  const optional = membersOf(annotated).filter((member) => member.optional);
  return text(
    annotated.operation,
    annotated.fragments,
    optional.map((member) => falseByDefault(`include_${member.name}`)),
  );
}

/** The document for `fields=`: each member depends on its variable `$field_…`. With `versioned`, `id` and `version` are always fetched. */
export function partialDocument(annotated: Annotated, versioned: boolean): string {
  const required = versioned ? alwaysFetched : [];
  const mapped = mapTopFields(
    annotated.resource.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] },
    annotated.fragments,
    (field) => {
      const directives = (field.directives ?? []).filter((directive) => !isOptional(directive));
      return {
        ...field,
        directives: required.includes(responseName(field))
          ? directives
          : [...directives, includeIf(`field_${responseName(field)}`)],
      };
    },
  );
  const operation = visit(annotated.operation, {
    Field: (field) => (field === annotated.resource ? { ...field, selectionSet: mapped } : undefined),
  });
  const members = membersOf(annotated).filter((member) => !required.includes(member.name));
  return text(
    operation,
    annotated.fragments,
    members.map((member) => falseByDefault(`field_${member.name}`)),
  );
}
