/** Resolvers of registered documents. */
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forPlatform } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createRegisteredDocumentReads } from './reads.ts';
import { createRegisteredDocumentWrites } from './writes.ts';

export function registeredDocumentResolvers(services: AreaServices) {
  const documents = createRegisteredDocumentReads(services);
  const writes = createRegisteredDocumentWrites(services);
  return {
    Query: {
      registeredDocuments: (_, args, context) => documents.list(context, args),
      registeredDocument: (_, { id }, context) => context.load(documents.byId, id),
      registeredDocumentText: forPlatform((args) => documents.textOf(args)),
    },
    Mutation: {
      registerDocuments: (_, args, context) => writes.register(context, args),
      deleteRegisteredDocument: async (_, args, context) => {
        await writes.remove(context, args);
        return { id: args.id, deleted: true };
      },
    },
    RegisteredDocument: {
      async text({ id }, _, context) {
        const text = await context.load(documents.textById, id);
        if (text === null) throw new Problem('not_found', 'The document was deleted during the request.');
        return text;
      },
    },
  } satisfies Resolvers;
}
