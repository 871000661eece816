/** The SDL of an area as its server builds it: the shared types, then the types of the area. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas } from './areas.ts';
import type { Area } from './areas.ts';
import { borrowedInputs, borrowTypes } from './borrowed-inputs.ts';
import { commonTypeDefs } from './build/common.ts';
import { changeStateTypeDefs } from './change-state-types.ts';
import { eventDeliveryTypeDefs } from './event-delivery-types.ts';
import { historyTypeDefs } from './history-types.ts';
import { nodeLookupTypeDefs } from './node-types.ts';
import { entriesOf } from './records.ts';

const root = join(import.meta.dirname, '..');

/** The folder of an area. */
export const areaFolder = (area: Area): string => join(root, 'subgraphs', area);

/** The SDL files of an area: every `schema.graphql` below its folder, and the files of a folder `schema/`. */
function schemaFilesOf(area: Area): string[] {
  const folder = areaFolder(area);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(^|\/)schema\.graphql$/.test(file) || /^schema\/[^/]+\.graphql$/.test(file))
    .sort()
    .map((file) => join(folder, file));
}

/** The areas that have SDL: those the supergraph is composed of. */
export function areasWithSchema(): Area[] {
  return areas.filter((area) => schemaFilesOf(area).length > 0);
}

const readSchema = (area: Area): string =>
  schemaFilesOf(area)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** The input types that the area borrows from other areas. */
function borrowedTypeDefs(area: Area, own: string): string {
  const lenders = entriesOf(borrowedInputs[area] ?? {});
  return lenders.map(([lender, names]) => borrowTypes(own, readSchema(lender), names ?? [])).join('\n');
}

/**
 * The area's own SDL, one file per resource, with the inputs that it borrows, and the fields that all areas have: history, change state,
 * event delivery, lookup of node types.
 */
export function ownTypeDefs(area: Area): string {
  const own = readSchema(area);
  const common = [historyTypeDefs(area), changeStateTypeDefs(area), eventDeliveryTypeDefs(area), nodeLookupTypeDefs(area)];
  return [own, borrowedTypeDefs(area, `${commonTypeDefs()}\n${own}`), ...common].join('\n');
}

/** The area's SDL after the federation links, scalars and types that all areas share. */
export function areaTypeDefs(area: Area): string {
  return `${commonTypeDefs()}\n${ownTypeDefs(area)}`;
}
