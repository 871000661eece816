/** The gateways that run the shop's query: their processes, and the platform's targets relative to them. */
import type { PartName } from '../part.ts';
import { shopAreas } from './shop.ts';

export interface GatewayRow {
  readonly name: string;
  readonly title: string;
  /** In start order; the gateway is the last. */
  readonly parts: readonly PartName[];
  readonly isPeer: boolean;
}

const remote = shopAreas.map((name): PartName => `shop ${name}`);

export const gatewayRows: readonly GatewayRow[] = [
  { name: 'ours', title: 'our router, areas in its process', parts: ['ours'], isPeer: false },
  { name: 'peer', title: 'Hive router runtime, areas in its process', parts: ['peer'], isPeer: true },
  { name: 'stock', title: 'stock ApolloGateway, areas in its process', parts: ['stock'], isPeer: false },
  { name: 'ours-framed', title: 'our router, areas over framed connections', parts: [...remote, 'ours framed'], isPeer: false },
  { name: 'ours-http', title: 'our router, areas over HTTP', parts: [...remote, 'ours over HTTP'], isPeer: false },
  { name: 'peer-http', title: 'Hive router runtime, areas over HTTP', parts: [...remote, 'peer over HTTP'], isPeer: true },
  { name: 'stock-http', title: 'stock ApolloGateway, areas over HTTP', parts: [...remote, 'stock over HTTP'], isPeer: false },
];
