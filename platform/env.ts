/** Reads and validates a process's environment by a table of variables; all problems are reported at once. */

/** How a variable is read. `parse` returns null for an invalid value. Error messages contain the expected form, never the value, which may be a secret. */
export interface Reader<Value> {
  readonly form: string;
  readonly description: string;
  readonly required: boolean;
  /** The value of an absent variable: the default, or null. */
  readonly absent: Value;
  readonly secret: boolean;
  parse(text: string): Value | null;
}

interface Common {
  readonly description: string;
  /** Masked in `describe`. */
  readonly secret?: boolean;
}

/** A variable with a default or `required` always has a value; others may be null. */
type Options<Value> = Common & ({ readonly default: Value } | { readonly required: true } | { readonly required?: false });
type Read<Value, Given> = Given extends { default: unknown } | { required: true } ? Value : Value | null;

type Spec = Readonly<Record<string, Reader<unknown>>>;

/** The values that a table of readers returns. */
export type Environment<Table extends Spec> = {
  readonly [Name in keyof Table]: Table[Name] extends Reader<infer Value> ? Value : never;
};

/** Any text; `minLength` in characters. */
export function text<const Given extends Options<string> & { minLength?: number }>(given: Given): Reader<Read<string, Given>> {
  const shortest = given.minLength ?? 1;
  return reader(given, shortest > 1 ? `text of ${shortest} characters or more` : 'text', (value) =>
    value.length >= shortest ? value : null,
  );
}

/** A whole number within inclusive bounds; `zero` is a word for 0. */
export function integer<const Given extends Options<number> & { min?: number; max?: number; zero?: string }>(
  given: Given,
): Reader<Read<number, Given>> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = given;
  const bounds = [given.min === undefined ? '' : ` from ${min}`, given.max === undefined ? '' : ` to ${max}`].join('');
  const word = given.zero === undefined ? '' : `, or ${given.zero}`;
  return reader(given, `whole number${bounds}${word}`, (value) => {
    if (value === given.zero) return 0;
    const number = /^-?\d+$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : null;
  });
}

/** An absolute URL with one of the protocols, such as `['postgresql:', 'postgres:']`. */
export function url<const Given extends Options<string> & { protocols: readonly string[] }>(
  given: Given,
): Reader<Read<string, Given>> {
  return reader(given, `URL (${given.protocols.map((protocol) => `${protocol}//…`).join(', ')})`, (value) =>
    given.protocols.includes(URL.parse(value)?.protocol ?? '') ? value : null,
  );
}

/** Absolute URLs with one of the protocols, separated by commas; the default, or else an empty list, if absent. */
export function urls(
  given: Common & { readonly protocols: readonly string[]; readonly default?: readonly string[] },
): Reader<readonly string[]> {
  const form = `URLs (${given.protocols.map((protocol) => `${protocol}//…`).join(', ')}), separated by commas`;
  return reader({ ...given, default: given.default ?? [] }, form, (value): readonly string[] | null => {
    const all = value.split(',').map((one) => one.trim());
    return all.every((one) => given.protocols.includes(URL.parse(one)?.protocol ?? '')) ? Object.freeze(all) : null;
  });
}

/** One of several words. */
export function oneOf<const Words extends readonly string[], const Given extends Options<Words[number]>>(
  words: Words,
  given: Given,
): Reader<Read<Words[number], Given>> {
  return reader(given, words.join(' | '), (value): Words[number] | null => words.find((word) => word === value) ?? null);
}

/** A comma-separated list whose items `parse` reads; null for an invalid item. Spaces and empty items are ignored. */
export function list<Item, const Given extends Options<readonly Item[]>>(
  given: Given,
  what: string,
  parse: (word: string) => Item | null,
): Reader<Read<readonly Item[], Given>> {
  return reader(given, `${what}, separated by commas`, (value): readonly Item[] | null => {
    const words = value.split(',').map((word) => word.trim());
    const items = words.filter((word) => word !== '').map(parse);
    return items.every((item) => item !== null) ? Object.freeze(items) : null;
  });
}

/**
 * Reads a source such as process.env. A missing or empty variable is absent; variables that are not in the table are ignored.
 * @throws Error that lists all invalid variables, one per line
 */
export function readEnvironment<const Table extends Spec>(
  source: Readonly<Record<string, string | undefined>>,
  table: Table,
): Environment<Table> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table)) {
    const given = source[name]?.trim() ?? '';
    if (given === '') {
      if (row.required) problems.push(`${name} is required: ${row.description} (${row.form})`);
      values[name] = row.absent;
      continue;
    }
    const value = row.parse(given);
    if (value === null) problems.push(`${name} must be ${row.form}: ${row.description}`);
    values[name] = value;
  }
  if (problems.length > 0) throw new Error(`Invalid environment:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  // Cast: the loop has read a value for each row of the table.
  return Object.freeze(values) as Environment<Table>;
}

/** The table as text for `--help`: name, form, default, description. */
export function describe(table: Spec): string {
  const rows = Object.entries(table).map(([name, row]) => [name, row.form, defaultText(row), row.description]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}

function defaultText(row: Reader<unknown>): string {
  if (row.required) return 'required';
  if (row.absent === null) return '';
  return row.secret ? '•••' : `[${JSON.stringify(row.absent)}]`;
}

function reader<Value, Given extends Options<Value>>(
  given: Given,
  form: string,
  parse: (text: string) => Value | null,
): Reader<Read<Value, Given>> {
  const row: Reader<Value | null> = {
    form,
    description: given.description,
    required: 'required' in given && given.required,
    absent: 'default' in given ? given.default : null,
    secret: given.secret ?? false,
    parse,
  };
  // Cast: TypeScript cannot check the conditional type. Null occurs only without `default` and `required`
  return row as Reader<Read<Value, Given>>;
}
