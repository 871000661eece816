/** Turns enum values and identifiers of the API into labels: `PENDING_CONSENT` is "Pending consent". */

export const enumLabel = (value: string): string =>
  value.charAt(0).toUpperCase() + value.slice(1).toLowerCase().replaceAll('_', ' ');

/** The options of a select field for enum values. */
export const enumOptions = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: enumLabel(value) }));
