/** Composes the areas into one supergraph and refuses what our own rules forbid. */
import { composeServices } from '@apollo/composition';
import { Kind, parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { oneOfLine } from './print.ts';
import { areaSchemaViolations, fieldSetViolations, undocumented } from './rules.ts';

/** One area as composition sees it. */
export interface AreaSource {
  readonly name: string;
  /** Complete SDL: the shared types and the area's own. */
  readonly typeDefs: string;
  /** The area's own SDL alone, checked against our rules. */
  readonly own: string;
}

/** Names of the input types a document declares `@oneOf`. */
function oneOfInputs(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && definition.directives?.some(({ name }) => name.value === 'oneOf')
      ? [definition.name.value]
      : [],
  );
}

/**
 * The supergraph of the areas; fetches go to `http://<area>`, a name that transports map to a place.
 * Throws one Error that lists every fault of every area.
 */
export function composeAreas(sources: readonly AreaSource[]): string {
  const violations = [
    ...sources.flatMap((source) => areaSchemaViolations(source.own).map((violation) => `${source.name}: ${violation}`)),
    ...fieldSetViolations(sources.map((source) => parse(source.own, { noLocation: true }))),
  ];
  if (violations.length > 0)
    throw new Error(`The schema breaks ${violations.length} of our rules:\n- ${violations.join('\n- ')}`);
  const documents = sources.map((source) => ({
    name: source.name,
    url: `http://${source.name}`,
    typeDefs: parse(source.typeDefs, { noLocation: true }),
  }));
  const result = composeServices(documents);
  if (result.errors !== undefined) {
    throw new Error(`Composition failed:\n- ${result.errors.map((error) => error.message).join('\n- ')}`);
  }
  const missing = undocumented(result.supergraphSdl);
  if (missing.length > 0) throw new Error(`${missing.length} elements are undocumented:\n- ${missing.join('\n- ')}`);
  const oneOf = documents.flatMap((document) => oneOfInputs(document.typeDefs));
  return `${result.supergraphSdl.trimEnd()}\n\n${oneOfLine([...new Set(oneOf)].sort())}`;
}
