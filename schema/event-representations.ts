/** The queries that read the subjects of events as `GET` returns them. */
import { readFileSync } from 'node:fs';
import { isRecord, keysOf } from './records.ts';
import { subjectOperations, type SubjectType } from './event-subjects.ts';

let queries: unknown = null;

/** A query with the variable `ids` whose `nodesOfType` have `subjectId` and the members of the representation. */
export function representationQuery(type: SubjectType): string {
  queries ??= JSON.parse(readFileSync(new URL('generated/event-representations.json', import.meta.url), 'utf8'));
  const query = isRecord(queries) ? queries[type] : undefined;
  if (typeof query !== 'string') throw new Error(`schema/generated/event-representations.json has no query of ${type}.`);
  return query;
}

const subjectTypes: ReadonlySet<string> = new Set(keysOf(subjectOperations));

export const isSubjectType = (type: string): type is SubjectType => subjectTypes.has(type);
