/** The `fields` and `include` parameters: which document executes, and which of its members are fetched. */
import type { Violation } from '../../schema/errors.ts';
import { truncated, violationsMax, suggestionFor } from '../../schema/violations.ts';
import { alwaysFetched } from '../operations/documents.ts';
import type { Operation } from '../operations/operation.ts';
import type { Query } from './query-parameters.ts';
import type { ReadRequest, Variables } from './request-reader.ts';

type MemberSelection = Pick<ReadRequest, 'documentId' | 'hidden'>;

/** The names in a list parameter; null when it is absent. */
function readNames(
  query: Query,
  parameter: 'fields' | 'include',
  known: readonly string[],
  violations: Violation[],
): ReadonlySet<string> | null {
  const raw = query.get(parameter);
  if (raw === undefined || raw === '' || known.length === 0) return null;
  const names = new Set(raw.split(','));
  for (const name of [...names].filter((name) => !known.includes(name)).slice(0, violationsMax)) {
    violations.push({
      parameter,
      code: 'unknown_member',
      detail: `has an unknown value "${truncated(name)}"${suggestionFor(name, known)}`,
    });
  }
  return names;
}

/** The violation of a selected member whose changes the list does not report; `path` is the list that does. */
function staleMember(parameter: string, member: string, path: string | null): Violation {
  const reason = `cannot select \`${member}\` together with \`updatedSince\`: its changes do not list the resource again`;
  const instead = path === null ? 'read it without `updatedSince`' : `synchronize GET ${path} with \`updatedSince\` instead`;
  return { parameter, code: 'not_synchronized', detail: `${reason}; ${instead}` };
}

/** Creates the reader of both parameters, which sets the `$include_…` or `$field_…` variables. */
export function createMemberSelection(
  operation: Operation,
  joined: ReadonlyMap<string, string | null>,
): (query: Query, variables: Variables, violations: Violation[]) => MemberSelection {
  const all = operation.members.map(({ name }) => name);
  const optional = operation.members.filter((member) => member.optional).map(({ name }) => name);
  const required = operation.versioned ? alwaysFetched : [];
  const excluded = Object.fromEntries(optional.map((name) => [`include_${name}`, false]));
  const deselected = Object.fromEntries(all.filter((name) => !required.includes(name)).map((name) => [`field_${name}`, false]));

  return (query, variables, violations) => {
    const fields = readNames(query, 'fields', all, violations);
    const include = readNames(query, 'include', optional, violations);
    if (query.has('updatedSince')) {
      for (const [member, path] of joined) {
        const parameter = include?.has(member) === true ? 'include' : 'fields';
        if (include?.has(member) === true || fields?.has(member) === true) violations.push(staleMember(parameter, member, path));
      }
    }
    if (!fields) {
      Object.assign(variables, excluded);
      for (const name of include ?? []) variables[`include_${name}`] = true;
      return { documentId: operation.name, hidden: [] };
    }
    Object.assign(variables, deselected);
    const selected = new Set([...fields, ...(include ?? [])]);
    for (const name of selected) if (!required.includes(name)) variables[`field_${name}`] = true;
    return { documentId: `${operation.name}.fields`, hidden: required.filter((name) => !selected.has(name)) };
  };
}
