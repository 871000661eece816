/** Command-line options as data, for `parseArgs` and for the help text. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple: boolean;
  readonly default: string | null;
  /** Name of the value in the help text: `FILE`. */
  readonly value: string;
  readonly help: string;
}

/** The values of a command's options. */
export interface Given {
  readonly text: (name: string) => string | null;
  readonly all: (name: string) => readonly string[];
  readonly is: (name: string) => boolean;
  /** The contents of the file that an option names; null without the option. */
  readonly file: (name: string) => Promise<string | null>;
  /** Name of the source file without its folder. */
  readonly source: string;
}

export const valued = (value: string, help: string, otherwise: string | null = null): Option => ({
  type: 'string',
  multiple: false,
  default: otherwise,
  value,
  help,
});

export const repeated = (value: string, help: string): Option => ({ type: 'string', multiple: true, default: null, value, help });

export const flag = (help: string): Option => ({ type: 'boolean', multiple: false, default: null, value: '', help });

/** One line per option, in columns. */
export function helpOf(options: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(options).map(([name, { value, help, default: otherwise }]): [string, string] => [
    `--${name} ${value}`.trim(),
    otherwise === null ? help : `${help} (default ${otherwise})`,
  ]);
  const width = Math.min(24, Math.max(...lines.map(([name]) => name.length)));
  return lines
    .map(([name, help]) =>
      name.length > width ? `  ${name}\n  ${''.padEnd(width)}  ${help}` : `  ${name.padEnd(width)}  ${help}`,
    )
    .join('\n');
}
