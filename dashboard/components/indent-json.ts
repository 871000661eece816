/** Indents JSON texts, also those that end early: deliveries store the first kB of a body. */

const tokens = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;
const empty = /^(\{\}|\[\])$/;

/** The text with line breaks and indentation; unchanged when it is no JSON object or list. */
export function indentJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  const all = text.match(tokens) ?? [];
  let depth = 0;
  let result = '';
  const lineBreak = (): string => `\n${'  '.repeat(Math.max(depth, 0))}`;
  for (const [index, token] of all.entries()) {
    const isEmpty = (first: string | undefined, second: string | undefined): boolean => empty.test(`${first}${second}`);
    if (token === '{' || token === '[') {
      depth += 1;
      result += isEmpty(token, all[index + 1]) ? token : `${token}${lineBreak()}`;
    } else if (token === '}' || token === ']') {
      depth -= 1;
      result += isEmpty(all[index - 1], token) ? token : `${lineBreak()}${token}`;
    } else if (token === ',') result += `,${lineBreak()}`;
    else result += token === ':' ? ': ' : token;
  }
  return result;
}
