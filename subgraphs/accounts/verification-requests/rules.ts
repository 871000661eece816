/** Rules about verification requests that need no database. */
import type { Violation } from '../../../schema/errors.ts';

const linkMax = 1_000;

/** Violations of links that are not `https` URLs. The platform never opens them; pages show them as links. */
export function linkViolations(links: readonly string[]): Violation[] {
  return links.flatMap((link, index) => {
    const url = link.length <= linkMax ? URL.parse(link) : null;
    const isValid = url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\p{Cc}\s]/u.test(link);
    if (isValid) return [];
    const detail = `Use a complete https URL of at most ${linkMax} characters, without a user name.`;
    return [{ pointer: `/links/${index}`, code: 'invalid_url', detail }];
  });
}
