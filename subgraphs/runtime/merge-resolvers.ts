/** Merges the resolvers of the resources of an area into one map. */

/** One map of type → field → resolver. Several resources can add fields to the same type. */
export function mergeResolvers(parts: readonly object[]): Readonly<Record<string, object>> {
  const merged: Record<string, object> = {};
  for (const part of parts) {
    for (const [type, fields] of Object.entries<object>({ ...part })) merged[type] = { ...merged[type], ...fields };
  }
  return merged;
}
