/** Escapes text for HTML. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: unknown): string =>
  String(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
