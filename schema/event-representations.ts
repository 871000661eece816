/** The queries that read the subjects of events as `GET` returns them. */
import { readFileSync } from 'node:fs';
import { keysOf } from './records.ts';
import { subjectOperations, type SubjectType } from './event-resources.ts';

let queries: Readonly<Record<SubjectType, string>> | null = null;

/** A query with the variable `ids` whose `nodes` have `subjectId` and the members of the representation. */
export function representationQuery(type: SubjectType): string {
  // Cast: `npm run schema` writes one text per type (commands/event-representations.ts).
  queries ??= JSON.parse(readFileSync(new URL('generated/event-representations.json', import.meta.url), 'utf8')) as Record<
    SubjectType,
    string
  >;
  return queries[type];
}

const subjectTypes: ReadonlySet<string> = new Set(keysOf(subjectOperations));

export const isSubjectType = (type: string): type is SubjectType => subjectTypes.has(type);
