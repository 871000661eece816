/** The rules of texts in inputs: every text has a visible character, and a name is one line. */

/** The input members that name something, such as a person, a place or a group: one line, without the spaces around it. */
export const nameMembers: ReadonlySet<string> = new Set([
  'name',
  'names',
  'aliases',
  'displayName',
  'givenName',
  'familyName',
  'knownAs',
  'legalName',
  'shortName',
  'organizerName',
  'title',
  'personName',
  'officerName',
  'representsName',
  'holder',
  'licenceBody',
  'city',
  'region',
  'venue',
  'group',
  'groups',
  'round',
  'programme',
  'programmes',
]);

/** Spaces and characters without a glyph, within a character class. Names may contain them: joiners are part of some scripts. */
const invisible = String.raw` \u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f\u205f-\u2065\u206a-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0`;
/** Control characters, line separators, and characters that reverse the direction of what follows. */
const forbidden = String.raw`\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069`;
/** The forbidden ones that PostgreSQL can store. */
const storable = forbidden.replace(String.raw`\u0000`, String.raw`\u0001`);

/** Pattern of a text that can be stored. */
export const withoutNul = String.raw`^[^\u0000]*$`;

/** Pattern of a text that is not blank. The minimum length rejects the empty text. It has one way to match each text, so that its time is linear. */
export const notBlank = String.raw`^(?:[${storable}${invisible}]*[^${forbidden}${invisible}][^\u0000]*)?$`;

/** Pattern of a name, linear as well. */
export const oneLine = String.raw`^(?:[${invisible}]*[^${forbidden}${invisible}][^${forbidden}]*)?$`;

const visibleCharacter = new RegExp(notBlank);
// eslint-disable-next-line no-misleading-character-class -- the class lists single characters
const line = new RegExp(oneLine);

/** Control characters except tab and line breaks, unpaired surrogates, U+FFFE and U+FFFF: no XML 1.0 document contains them (section 2.2). */
const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const allNotInXml = new RegExp(notInXml, 'gu');

/** Whether XML 1.0 documents can contain a text. */
export const isXmlText = (text: string): boolean => !notInXml.test(text);

/** A text without the characters that XML 1.0 does not allow. */
export const xmlText = (text: string): string => text.replaceAll(allNotInXml, '');

/** The patterns of this file. */
export const textPatterns: ReadonlySet<unknown> = new Set([withoutNul, notBlank, oneLine]);

/** Why a text does not match one of the patterns. */
export function textMessage(value: unknown): string {
  if (typeof value === 'string' && value.includes('\0')) return 'must not contain NUL characters';
  return typeof value === 'string' && visibleCharacter.test(value)
    ? 'must not contain control characters, line breaks or characters that change the text direction'
    : 'must not be blank';
}

/** Why a text is not a name; null for a name. The same rule as for the members of inputs that name something. */
export function nameIssue(text: string): string | null {
  if (text === '') return 'must not be blank';
  return line.test(text) && isXmlText(text) ? null : textMessage(text);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id in the one spelling in which it is compared: UUIDs are case-insensitive on input (RFC 9562 section 4). */
export const normalizedId = (id: string): string => (uuid.test(id) ? id.toLowerCase() : id);
