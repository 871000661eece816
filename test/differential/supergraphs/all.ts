/** The supergraphs of the differential tests by name: small special ones, and the platform's. */
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { areaTypeDefs, areasWithSchema } from '../../../schema/type-defs.ts';
import type { AreaTexts } from '../areas.ts';
import type { Bounds } from '../operation-generator.ts';
import { interfaceObjects, interfaces } from './abstract.ts';
import { requiring, shared } from './entities.ts';
import { hidden, lists, mutations } from './values.ts';

const ours = (): AreaTexts => Object.fromEntries(areasWithSchema().map((area) => [area, areaTypeDefs(area)]));

/**
 * Size limits of operations per supergraph. The stock planner takes minutes for large operations over interface
 * objects.
 */
export const boundsOf = (name: string): Bounds =>
  name === 'interface-objects' ? { depth: 4, fields: 8 } : { depth: 5, fields: 24 };

/**
 * Whether plans of the native planner are compared too. For interface objects it plans wrong fetches and panics; composition rejects them.
 * There, our executor runs the plans of the stock planner.
 */
export const isPlannedNatively = (name: string): boolean => name !== 'interface-objects';

/** SDL by supergraph and area. */
export const supergraphs: Readonly<Record<string, () => AreaTexts>> = {
  interfaces: () => interfaces,
  'interface-objects': () => interfaceObjects,
  requiring: () => requiring,
  shared: () => shared,
  lists: () => lists,
  hidden: () => hidden,
  mutations: () => mutations,
  ours,
};

/** Composes areas. Throws an Error with all composition errors. */
export function composed(texts: AreaTexts): string {
  const areas = Object.entries(texts).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) }));
  const result = composeServices(areas);
  if (result.errors !== undefined) throw new Error(`Composition failed:\n${result.errors.map(String).join('\n')}`);
  return result.supergraphSdl;
}
