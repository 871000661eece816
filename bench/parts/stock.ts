/** Apollo Server over the stock ApolloGateway: the same areas over HTTP without keys, quotas, limits and logs. This favors the gateway. */
import { composeServices } from '@apollo/composition';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { parse, visit } from 'graphql';
import type { DocumentNode } from 'graphql';
import { areaTypeDefs, areasWithSchema } from '../../schema/type-defs.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { listen } from './listen.ts';

const rejectedDirectives = new Set(['authenticated', 'requiresScopes']);

/** Removes the authorization directives, which the stock gateway rejects. */
function withoutAuthorization(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (node) => (rejectedDirectives.has(node.name.value) ? null : undefined) });
}

/** @throws Error with every composition error. */
function benchSupergraph(addresses: PartSettings['addresses']): string {
  const services = areasWithSchema().map((name) => ({
    name,
    url: `${addresses[`stock ${name}`] ?? 'http://127.0.0.1:1'}/graphql`,
    typeDefs: withoutAuthorization(parse(areaTypeDefs(name))),
  }));
  const result = composeServices(services);
  if (result.errors !== undefined) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result.supergraphSdl;
}

export async function openStock({ addresses }: PartSettings): Promise<OpenPart> {
  const server = new ApolloServer({
    gateway: new ApolloGateway({ supergraphSdl: benchSupergraph(addresses) }),
    nodeEnv: 'production',
    plugins: [ApolloServerPluginLandingPageDisabled()],
    stopOnTerminationSignals: false,
  });
  await server.start();
  const app = Fastify();
  app.route({ method: ['GET', 'POST'], url: '/graphql', handler: fastifyApolloHandler(server) });
  return listen(app, [{ close: () => server.stop() }]);
}
