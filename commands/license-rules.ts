/** The licenses that production dependencies may have. docs/decisions/0111-allowed-licenses.md gives the reasons. */

/** SPDX identifiers that are allowed for every dependency. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Further licenses of single dependencies. */
const exceptions: readonly { readonly name: RegExp; readonly license: string }[] = [
  // a shared library, linked dynamically and not changed
  { name: /^@img\/sharp-/, license: 'LGPL-3.0-or-later' },
  // composes the supergraph and runs queries; users do not receive it as a separate service
  { name: /^@apollo\/(?:composition|federation-internals|gateway|query-graphs|query-planner)$/, license: 'Elastic-2.0' },
];

function isAllowedId(name: string, id: string): boolean {
  return allowed.has(id) || exceptions.some((each) => each.license === id && each.name.test(name));
}

/** Whether a dependency may have a license: an SPDX expression whose operators are AND and OR, without nested parentheses. */
export function isAllowedLicense(name: string, expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ');
  // in `A AND (B OR C)` each alternative is checked with less than it contains, so mixed expressions need every part
  const isMixed = expression.includes(' OR ') && expression.includes(' AND ');
  const parts = alternatives.map((each) => each.split(' AND ').every((id) => isAllowedId(name, id.trim())));
  return isMixed ? parts.every(Boolean) : parts.some(Boolean);
}
