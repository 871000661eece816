/** The name of a browser, of what it calls itself. */

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const;

/** `Firefox on Linux`, as far as it can be told: browsers name one another. */
export function browserOf(userAgent: string | null): string {
  const browser = browsers.find((name) => userAgent?.includes(`${name}/`));
  const system = systems.find((name) => userAgent?.includes(name));
  if (browser === undefined) return userAgent?.slice(0, 40) ?? 'Unknown';
  return `${names[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`;
}
