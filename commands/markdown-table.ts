/** Formats Markdown tables whose source is aligned as well. */

/** A table from rows of cells. The first row is the header, the first columns are left-aligned text, the others right-aligned numbers. */
export function align(lines: readonly (readonly string[])[], texts = 2): string {
  // an empty column has a rule of one character
  const widths = (lines[0] ?? []).map((_, column) => Math.max(1, ...lines.map((line) => line[column]?.length ?? 0)));
  const padded = (line: readonly string[]) =>
    line.map((cell, column) => (column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)));
  const [head = [], ...body] = lines.map((line) => `| ${padded(line).join(' | ')} |`);
  const rule = `| ${widths.map((width, column) => (column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [head, rule, ...body].join('\n');
}
