/** The problem of a resource that does not exist or that the caller cannot read. */
import { getNamedType, getNullableType, isListType } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Variable } from '../operations/variables.ts';

const isId = ({ place, type }: Variable): boolean =>
  place === 'query' && getNamedType(type).name === 'ID' && !isListType(getNullableType(type));

/** Names the parameters that selected the resource: the required ones, otherwise those that the request has. The path selects it without any. */
export function missingResource({ path, variables, notFound }: Operation, given: Readonly<Record<string, unknown>>): Problem {
  if (notFound !== null) return new Problem('not_found', notFound);
  const ids = path.includes('{') ? [] : variables.filter((variable) => isId(variable) && given[variable.name] !== undefined);
  const required = ids.filter((variable) => variable.required);
  const names = (required.length > 0 ? required : ids).map(({ wireName }) => `\`${wireName}\``);
  const detail =
    names.length === 0
      ? 'There is no resource at this path.'
      : `There is no resource with this ${names.join(' or ')}, or it is not visible to you.`;
  return new Problem('not_found', detail);
}
