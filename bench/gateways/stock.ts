/** The stock ApolloGateway over the shop: only its executor, without Apollo Server. */
import { ApolloGateway, RemoteGraphQLDataSource, type GraphQLDataSource } from '@apollo/gateway';
import type { GatewayGraphQLRequestContext, GatewayGraphQLResponse } from '@apollo/server-gateway-interface';
import { openAreas, type OpenAreas } from './areas.ts';
import { createReader, serveQueries } from './query-server.ts';
import type { OpenGateway } from './supergraph.ts';

/** Replaces the package's LocalGraphQLDataSource, which parses and validates each text again. This favors the gateway. */
function local(name: string, areas: OpenAreas): GraphQLDataSource {
  const execute = areas.of(name);
  return {
    async process({ request: { query = '', variables = {}, operationName = null } }) {
      return (await execute({ query, variables, operationName })) as GatewayGraphQLResponse;
    },
  };
}

export const openStock: OpenGateway = async ({ supergraphSdl, apiSdl }, addresses) => {
  const areas = addresses === null ? openAreas() : null;
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) =>
      areas === null ? new RemoteGraphQLDataSource({ url: `${addresses?.[`shop ${name}`] ?? ''}/graphql` }) : local(name, areas),
  });
  const { executor } = await gateway.load();
  const read = createReader(apiSdl);
  return serveQueries({
    respond({ query, variables, operationName }) {
      // what the executor reads from the context that Apollo Server would create; the text replaces its hash
      const context = {
        request: { query, variables: { ...variables }, ...(operationName === null ? {} : { operationName }) },
        document: read(query),
        queryHash: query,
        source: query,
        operationName,
        context: {},
        metrics: {},
      };
      return executor(context as unknown as GatewayGraphQLRequestContext);
    },
    ...(areas === null ? {} : { fetches: areas.fetches }),
    close: () => gateway.stop(),
  });
};
