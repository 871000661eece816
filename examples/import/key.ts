/**
 * The normalized form of a name in an external ID: lower case, without accents, words joined by hyphens.
 * Letters of every script are retained, so a name in Cyrillic or Arabic has a distinct key.
 */
export function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFC');
}
