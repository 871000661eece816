/** JSON merge patch (RFC 7396) for the object members of a resource. */
import { isRecord } from '../../schema/records.ts';

/**
 * Completes a merge patch with the members of nested objects that it does not change (RFC 7396: objects merge, all other values are
 * replaced). Absent (undefined) members are removed.
 */
export function applyMergePatch<Patch extends object>(before: object, patch: Patch): Patch {
  const old = new Map<string, unknown>(Object.entries(before));
  const given = Object.entries(patch).filter(([, value]: [string, unknown]) => value !== undefined);
  const members = given.map(([member, value]: [string, unknown]) => {
    const part = old.get(member);
    if (!isRecord(part) || !isRecord(value)) return [member, value];
    // null deletes a member; a member that does not exist needs no deletion
    const changed = Object.entries(value).filter(
      ([name, each]) => each !== undefined && (each !== null || Object.hasOwn(part, name)),
    );
    return [member, { ...part, ...applyMergePatch(part, Object.fromEntries(changed)) }];
  });
  // Cast: the members are those of the patch. Nested objects are completed with values of the row.
  return Object.fromEntries(members) as Patch;
}
