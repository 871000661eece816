/** Writes of keys by members: the rules of administrators' keys, with the plan of the account and the scopes of the role. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { generateApiKey } from '../../../platform/security/api-key.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { RequestMember } from '../access.ts';
import { requireActive } from '../accounts/rules.ts';
import { findAccount } from '../accounts/writes.ts';
import { actorOf } from '../administrators/actor.ts';
import type { ApiKeyRow } from '../api-keys/rows.ts';
import {
  expiryViolation,
  networksOf,
  networkViolations,
  requireGrantable,
  requireScopesOfRole,
  scopeViolations,
} from '../api-keys/rules.ts';
import { insertKey } from '../api-keys/writes.ts';
import type { CreateOwnKeyInput } from '../generated/resolvers.ts';
import type { PlanReads } from '../plans/reads.ts';
import { planKey } from '../plans/rows.ts';
import { requireScopesInPlan } from '../plans/rules.ts';
import { lockAllowance } from './allowance.ts';

interface Dependencies {
  readonly secrets: Secrets;
  readonly plans: PlanReads;
}

/**
 * Creates a key of the member's account and returns its secret once. Throws Problem validation_failed (422), insufficient_scope (403: the role
 * lacks a scope), write_not_in_plan (403) or conflict (409: too many keys, or the account is not active).
 */
export async function createOwnKey(
  { writer, announce }: AreaServices,
  { secrets, plans }: Dependencies,
  context: Context,
  { accountId }: RequestMember,
  input: CreateOwnKeyInput,
): Promise<{ key: string; apiKey: ApiKeyRow }> {
  rejectInvalid([...scopeViolations(input.scopes), ...networkViolations(input.allowedCidrs), expiryViolation(input.expiresAt)]);
  const scopes = [...new Set(input.scopes ?? [])];
  requireGrantable(scopes, context.viewer);
  requireScopesOfRole(scopes, context.viewer);
  const mode = input.mode ?? 'LIVE';
  const generated = generateApiKey(mode);
  const apiKey = await writer.write(context, async (transaction) => {
    // as plan changes do: the account first, then its keys
    const account = await findAccount(transaction, accountId);
    if (account) requireActive(account);
    const { assignment, quotaSubjectId } = await lockAllowance(transaction, accountId, mode);
    const [plan] = await plans.byKeys([planKey(assignment)], transaction);
    if (plan && mode === 'LIVE') requireScopesInPlan(scopes, plan);
    return insertKey(transaction, secrets, generated, {
      ...assignment,
      name: input.name.trim() || 'key',
      accountId,
      scopes,
      allowedCidrs: networksOf(input.allowedCidrs),
      registeredDocumentsOnly: input.registeredDocumentsOnly ?? false,
      expiresAt: input.expiresAt ?? null,
      createdBy: actorOf(context.viewer),
      ...(quotaSubjectId !== null && { quotaSubjectId }),
    });
  });
  await announce?.(apiKey.publicId);
  return { key: generated.key, apiKey };
}
