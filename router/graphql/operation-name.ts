/** The client's name of an operation, as recorded with a request. */

/** Maximum recorded length; a name can be as long as the document. */
const nameMax = 100;

/** A copy of its start: a substring would keep the whole document in memory for as long as the record lives. */
export function recordedName(name: string): string {
  // names are ASCII (GraphQL grammar)
  return Buffer.from(name.slice(0, nameMax), 'latin1').toString('latin1');
}
