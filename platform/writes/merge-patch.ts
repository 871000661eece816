/** JSON merge patch (RFC 7396) for the object members of a resource. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Completes a merge patch with the members of nested objects that it does not change (RFC 7396: objects merge, all other values are replaced). */
export function applyMergePatch<Patch extends object>(before: object, patch: Patch): Patch {
  const old = new Map<string, unknown>(Object.entries(before));
  const members = Object.entries(patch).map(([member, value]: [string, unknown]) => {
    const part = old.get(member);
    if (!isObject(part) || !isObject(value)) return [member, value];
    // null deletes a member; a member that does not exist needs no deletion
    const given = Object.entries(value).filter(
      ([name, each]) => each !== undefined && (each !== null || Object.hasOwn(part, name)),
    );
    return [member, { ...part, ...applyMergePatch(part, Object.fromEntries(given)) }];
  });
  return Object.fromEntries(members) as Patch;
}
