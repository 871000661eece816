/** JSON merge patch (RFC 7396) of the parts of a resource that are objects. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge patch with the parts of `before` that it leaves as they are (RFC 7396: objects merge, anything else is replaced). */
export function applyMergePatch<Patch extends object>(before: object, patch: Patch): Patch {
  const old = new Map<string, unknown>(Object.entries(before));
  const members = Object.entries(patch).map(([member, value]: [string, unknown]) => {
    const part = old.get(member);
    if (!isObject(part) || !isObject(value)) return [member, value];
    // Null stands for what is absent, so that nothing was there to delete.
    const given = Object.entries(value).filter(
      ([name, each]) => each !== undefined && (each !== null || Object.hasOwn(part, name)),
    );
    return [member, { ...part, ...applyMergePatch(part, Object.fromEntries(given)) }];
  });
  return Object.fromEntries(members) as Patch;
}
