/** Whether the member can use a scope: the role and the plan of the account must include it. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scope } from '../../../schema/scopes.ts';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { useDataMode } from '../../graph/data-mode.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { useHasScope } from '../../session/session.ts';
import { graphql } from '../graphql.ts';

const scopesQuery = graphql(`
  query MemberScopes {
    member {
      scopes
      plan {
        name
        webhooks
      }
      account {
        liveKeys
      }
    }
  }
`);

interface WriteAccess {
  readonly isAllowed: boolean;
  /** Replaces the actions; null while they are allowed or unknown. */
  readonly notice: ReactNode;
  /** Scopes of the session. */
  readonly scopes: readonly string[];
  /** Webhook endpoints in the plan; null until it is known, and for test data. */
  readonly webhooksMax: number | null;
  /** Whether the account has a key that is neither revoked nor expired. */
  readonly hasKey: boolean;
}

export function useWriteAccess(scope: Scope): WriteAccess {
  const hasRole = useHasScope(scope);
  const { data } = useGraphQuery(scopesQuery, {});
  const isTest = useDataMode() === 'TEST';
  const member = data?.member ?? null;
  const scopes = member?.scopes ?? [];
  const isInPlan = scopes.includes(scope);
  return {
    isAllowed: hasRole && isInPlan,
    notice: hasRole ? member !== null && !isInPlan && <PlanNotice plan={member.plan.name} /> : <ReadOnlyNotice />,
    scopes,
    webhooksMax: isTest ? null : (member?.plan.webhooks ?? null),
    hasKey: (member?.account.liveKeys ?? 0) > 0,
  };
}

const PlanNotice = ({ plan }: { readonly plan: string }) => (
  <Text size="sm" c="dimmed">
    The plan {plan} has no write access.{' '}
    <Anchor inherit underline="always" renderRoot={(props) => <Link to="/plan" {...props} />}>
      Compare plans
    </Anchor>
  </Text>
);
