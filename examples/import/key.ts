/**
 * The stable spelling of a name inside an external id: lower case, without accents, words joined by hyphens.
 * Letters of every script stay, so that a name in Cyrillic or Arabic keeps a key of its own.
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
