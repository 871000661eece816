/** The SDL of one area as its server builds it: what all areas share, then its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas } from './areas.ts';
import type { Area } from './areas.ts';

const root = join(import.meta.dirname, '..');

/** Path of an area's own SDL file. */
export function areaSchemaFile(area: Area): string {
  return join(root, 'subgraphs', area, 'schema.graphql');
}

/** The areas whose SDL exists: those the supergraph is composed of. */
export function areasWithSchema(): Area[] {
  return areas.filter((area) => existsSync(areaSchemaFile(area)));
}

/** The area's SDL with schema/common.graphql prepended (federation links, scalars, shared types). */
export function areaTypeDefs(area: Area): string {
  const common = readFileSync(join(import.meta.dirname, 'common.graphql'), 'utf8');
  return `${common}\n${readFileSync(areaSchemaFile(area), 'utf8')}`;
}
