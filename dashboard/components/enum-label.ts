/** Turns enum values and identifiers of the API into labels: `PENDING_CONSENT` is "Pending consent". */

const acronyms = /\b(api|id|url)\b/gi;

export function enumLabel(value: string): string {
  const text = value.charAt(0).toUpperCase() + value.slice(1).toLowerCase().replaceAll('_', ' ');
  return text.replace(acronyms, (acronym) => acronym.toUpperCase());
}

/** The options of a select field for enum values. */
export const enumOptions = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: enumLabel(value) }));
