/** The SDL of one area as its server builds it: what all areas share, then its own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas } from './areas.ts';
import type { Area } from './areas.ts';
import { historyTypeDefs } from './history-types.ts';

const root = join(import.meta.dirname, '..');

/** Folder of an area. */
export const areaFolder = (area: Area): string => join(root, 'subgraphs', area);

/** The areas whose SDL exists: those the supergraph is composed of. */
export function areasWithSchema(): Area[] {
  return areas.filter((area) => existsSync(join(areaFolder(area), 'schema.graphql')));
}

/** The area's own SDL: `schema.graphql`, then the files of its folder `schema/`, one for each part of a large area, and its history. */
export function ownTypeDefs(area: Area): string {
  const parts = join(areaFolder(area), 'schema');
  const files = existsSync(parts) ? readdirSync(parts).sort() : [];
  const texts = [join(areaFolder(area), 'schema.graphql'), ...files.map((file) => join(parts, file))].map((file) =>
    readFileSync(file, 'utf8'),
  );
  return [...texts, historyTypeDefs(area)].join('\n');
}

/** The area's SDL with schema/common.graphql prepended (federation links, scalars, shared types). */
export function areaTypeDefs(area: Area): string {
  const common = readFileSync(join(import.meta.dirname, 'common.graphql'), 'utf8');
  return `${common}\n${ownTypeDefs(area)}`;
}
