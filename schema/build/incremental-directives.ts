/** The directives of incremental delivery, which the router adds to the public schema: no area knows them. */
import { Kind, parse } from 'graphql';
import type { DirectiveDefinitionNode } from 'graphql';

const sdl = `
"""Delivers the fragment in a later part of the response, to clients that accept multipart/mixed. Others get one response."""
directive @defer(
  """Whether the fragment is deferred."""
  if: Boolean! = true
  """Names the part; unique in the document."""
  label: String
) on FRAGMENT_SPREAD | INLINE_FRAGMENT

"""Delivers the items after the first ones in a later part of the response, to clients that accept multipart/mixed. Others get one response."""
directive @stream(
  """Whether the list is streamed."""
  if: Boolean! = true
  """Names the part; unique in the document."""
  label: String
  """Number of items that are not delayed."""
  initialCount: Int! = 0
) on FIELD
`;

/** `@defer` and `@stream`, as https://github.com/graphql/defer-stream-wg describes them. */
export const incrementalDirectives: readonly DirectiveDefinitionNode[] = parse(sdl, { noLocation: true }).definitions.filter(
  (definition) => definition.kind === Kind.DIRECTIVE_DEFINITION,
);
