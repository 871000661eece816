/** Derives a readable browser name from a `User-Agent` header. */

// the order matters: Edge and Opera also contain "Chrome", and Chrome also contains "Safari"
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const;

/** `Firefox on Linux`; the start of the header for an unknown browser. */
export function browserName(userAgent: string | null): string {
  const browser = browsers.find((name) => userAgent?.includes(`${name}/`));
  const system = systems.find((name) => userAgent?.includes(name));
  if (browser === undefined) return userAgent?.slice(0, 40) ?? 'Unknown browser';
  return `${names[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`;
}
