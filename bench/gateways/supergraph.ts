/** Composes the shop: the supergraph for every gateway, and the schema of its clients. */
import { composeServices } from '@apollo/composition';
import { printSchema } from 'graphql';
import type { OpenPart } from '../part.ts';
import { shopAreas, shopTypeDefs } from './shop.ts';

export interface Shop {
  readonly supergraphSdl: string;
  /** The schema of its clients. */
  readonly apiSdl: string;
  /** Folder in which the peer is installed; null when it is not installed. */
  readonly peer: string | null;
}

/** Opens a gateway over the areas at these addresses by part name, or over areas in its own process when null. */
export type OpenGateway = (shop: Shop, addresses: Readonly<Record<string, string>> | null) => Promise<OpenPart>;

/** @throws Error with every composition error. */
export function composeShop(): Omit<Shop, 'peer'> {
  const services = shopAreas.map((name) => ({ name, url: `http://${name}`, typeDefs: shopTypeDefs(name) }));
  const { errors, supergraphSdl, schema } = composeServices(services);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return { supergraphSdl, apiSdl: printSchema(schema.toAPISchema().toGraphQLJSSchema()) };
}
