/** Issues a key; its secret is shown once, in memory alone: in no URL, no storage and no cache. */
import { Button, Group, Paper, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { violationsByField, violationsByPlace, type Failure } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { useMay } from '../../session/session.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { PlanSelect, usePlans } from '../plans/plan-select.tsx';
import { ExpiryField, NameField, NetworksField, ScopesField } from './key-fields.tsx';
import { expiryOf, networksOf, scopesIn, type KeyFormValues } from './key-form.ts';

const issueKeyMutation = graphql(`
  mutation IssueApiKey($input: IssueApiKeyInput!) {
    issueApiKey(input: $input) {
      key
      apiKey {
        id
      }
    }
  }
`);

interface Values extends KeyFormValues {
  readonly whose: 'KNOWN' | 'NEW';
  readonly accountId: string | null;
  readonly accountName: string;
  readonly plan: string | null;
}

const route = getRouteApi('/signed-in/keys/issue');

export function IssueKey() {
  const may = useMay('administration:write');
  return (
    <Screen title="Issue key" says="Its secret is shown once, at the end.">
      {may ? <IssueForm /> : <LooksOnly />}
    </Screen>
  );
}

function IssueForm() {
  const { account } = route.useSearch();
  const navigate = useNavigate();
  const { planOf } = usePlans();
  const [networkViolations, setNetworkViolations] = useState<ReadonlyMap<number, string>>(new Map());
  const form = useForm<Values>({
    initialValues: {
      whose: 'KNOWN',
      accountId: account ?? null,
      accountName: '',
      name: '',
      plan: null,
      scopes: [],
      networks: '',
      expiry: 'NEVER',
      day: '',
    },
    validate: {
      accountId: (id, { whose }) => (whose === 'KNOWN' && id === null ? 'Choose an account.' : null),
      plan: (plan) => (plan === null ? 'Choose a plan.' : null),
    },
    onValuesChange: ({ networks }, before) => {
      if (networks !== before.networks) setNetworkViolations(new Map());
    },
  });
  const writes = planOf(form.values.plan)?.writes;
  const issue = useChange(issueKeyMutation, {
    secret: true,
    refused: (failure: Failure) => {
      form.setErrors(violationsByField(failure));
      setNetworkViolations(violationsByPlace(failure, 'allowedCidrs'));
    },
  });
  const issued = issue.data?.issueApiKey;
  const submit = (values: Values): void =>
    issue.mutate({
      input: {
        ...(values.whose === 'KNOWN' ? { accountId: values.accountId } : { accountName: values.accountName }),
        name: values.name,
        plan: values.plan ?? '',
        scopes: scopesIn(values.scopes, writes ?? true),
        allowedCidrs: networksOf(values.networks),
        expiresAt: expiryOf(values) ?? null,
      },
    });
  const open = (): void => {
    if (issued) void navigate({ to: '/keys/$id', params: { id: issued.apiKey.id }, replace: true });
  };
  return (
    <Paper withBorder p="md" maw={860}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <SegmentedControl
            aria-label="Whose key"
            data={[
              { value: 'KNOWN', label: 'An account that is there' },
              { value: 'NEW', label: 'A new account' },
            ]}
            {...form.getInputProps('whose')}
          />
          {form.values.whose === 'KNOWN' ? (
            <AccountSelect
              label="Account"
              placeholder="Type to search"
              required
              activeOnly
              {...form.getInputProps('accountId')}
              value={form.values.accountId}
            />
          ) : (
            <TextInput
              label="Name of the account"
              description="Where there is one of this name already, the key is its."
              required
              maxLength={200}
              autoComplete="off"
              {...form.getInputProps('accountName')}
            />
          )}
          <NameField form={form} />
          <PlanSelect {...form.getInputProps('plan')} value={form.values.plan} />
          <ScopesField form={form} writes={writes} />
          <NetworksField form={form} violations={networkViolations} />
          <ExpiryField form={form} />
          <Group justify="flex-end">
            <Button variant="default" renderRoot={(props) => <Link to="/keys" {...props} />}>
              Cancel
            </Button>
            <Button type="submit" loading={issue.isPending}>
              Issue key
            </Button>
          </Group>
        </Stack>
      </form>
      <SecretOnce title="The key is issued" secret={issued?.key ?? null} close={open} />
    </Paper>
  );
}
