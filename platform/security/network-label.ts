/** Labels of client networks, which the platform stores instead of addresses (docs/dashboard.md). */

/** A label: 12 hexadecimal digits of a keyed hash. */
export const isNetworkLabel = (text: string): boolean => /^[0-9a-f]{12}$/.test(text);
