/** What a client calls its operation, as it is remembered of a request. */

/** A name may be as long as a document. */
const nameMax = 100;

/** Its beginning, copied: a part of a text keeps the whole text in memory, and names are remembered longer than documents. */
export function rememberedName(name: string): string {
  // by its grammar a name is ASCII
  return Buffer.from(name.slice(0, nameMax), 'latin1').toString('latin1');
}
