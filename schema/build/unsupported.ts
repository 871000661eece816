/** Federation features that the router does not support. Composition rejects them, so that no request fails because of them. */
import { visit } from 'graphql';
import type { DirectiveNode, DocumentNode } from 'graphql';

const contexts = ['context', 'fromContext'];

function directiveViolations({ name: { value: name }, arguments: given = [] }: DirectiveNode): string[] {
  if (name.startsWith('federation__')) return [`@${name} must be imported as @${name.slice('federation__'.length)}`];
  if (contexts.includes(name))
    return [`@${name} is not supported by the router: use an argument, or a field that the area can read by its key`];
  if (name === 'requires')
    return [
      '@requires is not supported by the query planner below an entity of the same type: compute the field in the area of the required ones',
    ];
  if (name === 'interfaceObject')
    return [
      '@interfaceObject is not supported by the query planner: some operations would return wrong data; add the field to each type',
    ];
  if (name === 'override' && given.some((argument) => argument.name.value === 'label'))
    return ['@override has a label, which the router never asks: move the field in one release, without a label'];
  return [];
}

const noSubscription = 'Subscription: the router serves none; publish an event (schema/events.ts) and let it be read as a list';

/** Directives and types of an area's SDL that the router does not support. */
export function unsupported(document: DocumentNode): string[] {
  const violations: string[] = [];
  visit(document, {
    Directive: (node) => void violations.push(...directiveViolations(node)),
    ObjectTypeDefinition: ({ name }) => void (name.value === 'Subscription' && violations.push(noSubscription)),
    ObjectTypeExtension: ({ name }) => void (name.value === 'Subscription' && violations.push(noSubscription)),
  });
  return violations;
}
