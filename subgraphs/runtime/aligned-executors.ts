/** Adjusts the schema of an area so that its two executors return the same results. */
import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { lazyMembers } from '../../platform/lists/page.ts';

/** Adjusts a schema so that graphql-jit and graphql-js return the same results. */
export function alignExecutors(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    // graphql-jit does not call functions found in members
    for (const field of Object.values(type.getFields())) if (lazyMembers.has(field.name)) field.resolve ??= defaultFieldResolver;
  }
  const entities = schema.getQueryType()?.getFields()['_entities'];
  if (entities?.resolve === undefined) return schema;
  const { resolve } = entities;
  // graphql-jit moves the null of a rejected item to the end of the list; an item that is an error keeps its place
  entities.resolve = async (...call) => {
    // Cast: `_entities` resolves to a list.
    const items = await Promise.allSettled((await resolve(...call)) as readonly unknown[]);
    return items.map((item) => (item.status === 'fulfilled' ? item.value : asError(item.reason)));
  };
  return schema;
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
