/** Secrets that the platform issues with a recognizable form, such as API keys and webhook secrets: logs hide them wherever a client sends them. */

const secrets = /sp_(?:live|test)_[\w.%-]*|whsec_[\w+/=%-]*/g;
const hidden = '*';

/** Whether a text contains the beginning of an issued secret. No regular expression: it runs for every request. */
export const hasSecret = (text: string): boolean =>
  text.includes('sp_live_') || text.includes('sp_test_') || text.includes('whsec_');

/** A text in which every issued secret is `*`. */
export const withoutSecrets = (text: string): string => (hasSecret(text) ? text.replaceAll(secrets, hidden) : text);
