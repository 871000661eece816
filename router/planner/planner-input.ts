/** The text that the planner receives for a document. */
import { Kind, print, stripIgnoredCharacters, visit } from 'graphql';
import type { DocumentNode, SelectionSetNode } from 'graphql';

const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

/** Removes introspection: the executor answers it, and the planner does not know all of it (`isOneOf`). */
function withoutIntrospection(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: ({ name }) => (name.value === '__schema' || name.value === '__type' ? null : undefined),
    FragmentDefinition: {
      enter: ({ typeCondition }) => (typeCondition.name.value.startsWith('__') ? null : undefined),
    },
    SelectionSet: {
      leave: (set): SelectionSetNode | undefined =>
        set.selections.length === 0 ? { ...set, selections: [typename] } : undefined,
    },
  });
}

/** Stripped of ignored characters, because it is also the key of the shared plan cache. */
export const plannerInput = (document: DocumentNode): string => stripIgnoredCharacters(print(withoutIntrospection(document)));
