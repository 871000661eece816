/** Which operations of the accounts area are the same in test mode: those about the account, its keys, members, plan and usage. */
import { Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';

/** What members manage in the portal. A sandbox has no members, and its keys are never admitted. */
const ofMembers = [
  'accountActivity',
  'accountInvitations',
  'accountMembers',
  'announcements',
  'changeMemberRole',
  'createOwnKey',
  'createPlanRequest',
  'createVerificationRequest',
  'disableOwnKey',
  'enableOwnKey',
  'endOwnSession',
  'inviteMember',
  'keyAllowance',
  'leaveAccount',
  'member',
  'ownKey',
  'ownKeys',
  'planRequest',
  'planRequests',
  'removeMember',
  'revokeOwnKey',
  'rotateOwnKey',
  'updateBillingData',
  'updateOwnKey',
  'updateOwnProfile',
  'verificationRequest',
  'verificationRequests',
  'withdrawInvitation',
  'withdrawPlanRequest',
  'withdrawVerificationRequest',
];

/** The platform answers these; all others are answered by the sandbox. */
const ofPlatform: ReadonlySet<string> = new Set([
  ...ofMembers,
  'deleteRegisteredDocument',
  'deleteTestData',
  'incident',
  'incidents',
  'me',
  'plan',
  'plans',
  'planVersions',
  'platformStatus',
  'registerDocuments',
  'registeredDocument',
  'registeredDocuments',
  'request',
  'requestAnalytics',
  'requests',
  'usage',
  'usageStatement',
  'usageStatements',
]);

const known = new LRUCache<string, { readonly names: readonly string[] }>({ max: 1_000 });

/** The root fields of an operation that the router wrote; none for one with fragments at the root, which the sandbox answers. */
function rootFields(query: string): readonly string[] {
  const cached = known.get(query);
  if (cached !== undefined) return cached.names;
  const [operation] = parse(query, { noLocation: true }).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const selections = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  const fields = selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
  const names = fields.length === selections.length ? fields : [];
  known.set(query, { names });
  return names;
}

/** Whether an operation deletes test data, which takes as long as a sandbox needs to open. */
export const deletesTestData = (query: string): boolean => rootFields(query).includes('deleteTestData');

/**
 * Whether the platform answers an operation of the accounts area for a viewer in a sandbox. Throws Problem parameter_invalid for an operation that
 * needs both.
 */
export function isOfPlatform(query: string, viewer: Viewer): boolean {
  // the areas of a sandbox query its own account, as the system or as the account: such a viewer has no key
  if (viewer.keyId === null) return false;
  const fields = rootFields(query).filter((name) => name !== '__typename');
  const names = fields.filter((name) => ofPlatform.has(name));
  if (names.length === 0) return false;
  if (names.length === fields.length) return true;
  const others = fields.filter((name) => !ofPlatform.has(name));
  throw new Problem(
    'parameter_invalid',
    `In test mode, select ${names.join(', ')} in another operation than ${others.join(', ')}: test data is separate from accounts and plans.`,
  );
}
