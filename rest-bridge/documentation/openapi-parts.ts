/** The OpenAPI document of one area: its routes, and the components that they use. */
import type { OpenApiDocument } from './openapi.ts';

type Components = OpenApiDocument['components'];

/** The components that a part of a document refers to, directly or indirectly, as `group/name`. */
export function referencesIn(part: unknown, components: Components, found = new Set<string>()): Set<string> {
  for (const [, group = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    const key = `${group}/${name}`;
    if (found.has(key)) continue;
    found.add(key);
    referencesIn(components[group]?.[name] ?? null, components, found);
  }
  return found;
}

/** The document with the routes of one tag only, without webhooks. */
export function documentOfTag({ webhooks: _, ...document }: OpenApiDocument, tag: string): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, methods]) => Object.values(methods).some(({ tags }) => tags.includes(tag))),
  );
  const used = referencesIn(paths, document.components);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([group, members]) => [
      group,
      group === 'securitySchemes'
        ? members
        : Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${group}/${name}`))),
    ]),
  );
  return { ...document, tags: document.tags.filter(({ name }) => name === tag), paths, components };
}
