/** Composes the areas into one supergraph and enforces the rules of the project. */
import { composeServices } from '@apollo/composition';
import { Kind, parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { oneOfLine } from './print.ts';
import { areaSchemaViolations, fieldSetViolations, undocumented } from './rules.ts';

/** The input of composition for one area. */
export interface AreaSource {
  readonly name: string;
  /** Complete SDL: the shared types and the area's own. */
  readonly typeDefs: string;
  /** The SDL of the area without the shared types; it is checked against the rules. */
  readonly own: string;
}

/** Names of the input types that a document declares with `@oneOf`. */
function oneOfInputs(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && definition.directives?.some(({ name }) => name.value === 'oneOf')
      ? [definition.name.value]
      : [],
  );
}

/**
 * Returns the supergraph SDL. Fetches go to `http://<area>`, a name that transports map to an address.
 * Throws one Error that lists every violation of every area.
 */
export function composeAreas(sources: readonly AreaSource[]): string {
  const violations = [
    ...sources.flatMap((source) => areaSchemaViolations(source.own).map((violation) => `${source.name}: ${violation}`)),
    ...fieldSetViolations(sources.map((source) => parse(source.own, { noLocation: true }))),
  ];
  if (violations.length > 0) throw new Error(`The schema violates ${violations.length} rules:\n- ${violations.join('\n- ')}`);
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
