/** The place of a statement's name in its text. */

const leadingName = /^\s*(\/\*.*?\*\/)\s*(\w+)/s;

/**
 * Moves the comment with the name behind the first word: `select /* athletes.byIds *\/ …`. PostgreSQL removes comments before the first word
 * from the texts of pg_stat_statements. Other texts are unchanged.
 */
export function withInnerName(text: string): string {
  const match = leadingName.exec(text);
  if (match === null) return text;
  const [leading, name = '', word = ''] = match;
  return `${word} ${name}${text.slice(leading.length)}`;
}
