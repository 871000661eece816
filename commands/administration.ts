/** Runs the accounts area in this process with platform rights: the same writes, limits, history and events as over the network. */
import { parse } from 'graphql';
import { createCursorCodec } from '../platform/lists/cursor.ts';
import { createLog } from '../platform/log.ts';
import { createRelayWakeUp } from '../platform/events/outbox.ts';
import { createArgumentConstraints } from '../router/operations/argument-constraints.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { executableSchema } from '../schema/executable.ts';
import { queryAsPlatform } from '../schema/subgraph-client.ts';
import { accounts } from '../subgraphs/accounts/subgraph.ts';
import { buildSubgraph } from '../subgraphs/runtime/subgraph.ts';
import type { Platform } from './platform.ts';

export interface Administration {
  /** Runs one operation of the admin schema. Throws a Problem when anything failed. */
  readonly execute: <Data>(query: string, variables: Readonly<Record<string, unknown>>) => Promise<Data>;
  readonly close: () => Promise<void>;
}

export async function openAdministration(platform: Platform): Promise<Administration> {
  const { secrets } = platform;
  const database = await platform.areaDatabase('accounts');
  const area = await buildSubgraph(accounts, {
    database,
    secrets,
    log: createLog({ name: 'administration', level: 'error', destination: process.stderr }),
    cursors: createCursorCodec(secrets.derive('cursor'), secrets.previous?.derive('cursor')),
    wake: createRelayWakeUp(database),
    graphAs: () => () => Promise.reject(new Error('The accounts area queries no other area.')),
  });
  const constraints = createArgumentConstraints(executableSchema(loadSupergraph().schemas.admin));
  return {
    async execute<Data>(query: string, variables: Readonly<Record<string, unknown>>) {
      constraints.compile(parse(query), null)?.(variables);
      // Cast: the caller names the type of the data that its query selects.
      return (await queryAsPlatform(area, 'command', query, variables)) as Data;
    },
    close: () => area.close(),
  };
}
