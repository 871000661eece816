/** The screen that creates an API key. The secret is displayed once and exists in memory only: not in a URL, storage or cache. */
import { Alert, Button, Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryResult } from '../../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../../components/read-only-notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { SecretDialog } from '../../../components/secret-dialog.tsx';
import { valuesOfLines } from '../../../components/lines-field.tsx';
import { useGraphMutation, useGraphQuery } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { DocumentsField, ExpiryField, NameField, NetworksField, ScopesField } from '../../../screens/keys/key-fields.tsx';
import { expiryOf, scopesIn, useNetworkViolations, type KeyFormValues } from '../../../screens/keys/key-form.ts';
import { limitsSummary } from '../../../screens/plans/plan-summary.ts';
import { useHasScope } from '../../../session/session.ts';
import type { DataMode, KeyAllowanceQuery } from '../../generated/graphql.ts';
import { allowanceQuery } from './allowance-query.ts';
import { graphql } from '../../graphql.ts';

const createMutation = graphql(`
  mutation CreateOwnKey($input: CreateOwnKeyInput!) {
    createOwnKey(input: $input) {
      key
      apiKey {
        id
      }
    }
  }
`);

type Allowance = NonNullable<KeyAllowanceQuery['keyAllowance']>;

const emptyValues: KeyFormValues = {
  name: '',
  scopes: [],
  networks: '',
  registeredDocumentsOnly: false,
  expiry: 'NEVER',
  day: '',
};

export function CreateKey() {
  const canCreate = useHasScope('keys:write');
  return (
    <Screen title="Create API key" description="The key is displayed once, after you create it.">
      {canCreate ? <AllowedForm /> : <ReadOnlyNotice />}
    </Screen>
  );
}

function AllowedForm() {
  const query = useGraphQuery(allowanceQuery, {});
  return (
    <QueryResult query={query} name="plan">
      {({ keyAllowance }) => {
        return keyAllowance === null ? <ReadOnlyNotice /> : <FormOrLimit allowance={keyAllowance} />;
      }}
    </QueryResult>
  );
}

function FormOrLimit({ allowance }: { readonly allowance: Allowance }) {
  const { liveKeys, liveKeysMax } = allowance;
  // as of the first response: the form of the last possible key stays until its secret is saved
  const [canCreate] = useState(liveKeys < liveKeysMax);
  return canCreate ? <CreateForm allowance={allowance} /> : <TooManyKeys max={liveKeysMax} />;
}

const TooManyKeys = ({ max }: { readonly max: number }) => (
  <Alert color="orange" title={`The account has ${max} keys`}>
    Revoke a key that you no longer use, then create another one.
  </Alert>
);

interface ModeFieldProps {
  readonly mode: DataMode;
  readonly onChange: (mode: DataMode) => void;
}

const ModeField = ({ mode, onChange }: ModeFieldProps) => (
  <Radio.Group label="Mode" value={mode} onChange={(value) => onChange(value === 'TEST' ? 'TEST' : 'LIVE')}>
    <Stack gap="xs" mt="xs">
      <Radio value="LIVE" label="Live" description="The key reads and writes the data of the platform." />
      <Radio
        value="TEST"
        label="Test"
        description="The key reads and writes test data that only test keys of your account can read. It can have write scopes on every plan."
      />
    </Stack>
  </Radio.Group>
);

function CreateForm({ allowance: { plan, limits, scopes, testScopes } }: { readonly allowance: Allowance }) {
  const navigate = useNavigate();
  const networks = useNetworkViolations();
  const [mode, setMode] = useState<DataMode>('LIVE');
  const isTest = mode === 'TEST';
  const form = useForm<KeyFormValues>({ initialValues: emptyValues, onValuesChange: networks.clearOnChange });
  const create = useGraphMutation(createMutation, {
    isSecret: true,
    onError: (error) => {
      form.setErrors(violationsByField(error));
      networks.setFrom(error);
    },
  });
  const created = create.data?.createOwnKey;
  const openKey = (): void => {
    if (created) void navigate({ to: '/keys/$id', params: { id: created.apiKey.id }, replace: true });
  };
  const submit = (values: KeyFormValues): void =>
    create.mutate({
      input: {
        mode,
        name: values.name,
        scopes: scopesIn(values.scopes, plan.writes || isTest),
        allowedCidrs: valuesOfLines(values.networks),
        registeredDocumentsOnly: values.registeredDocumentsOnly,
        expiresAt: expiryOf(values) ?? null,
      },
    });
  return (
    <Paper withBorder p="md" maw={860}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Text>
            Plan: <strong>{plan.name}</strong>, {limitsSummary(limits)}. All live keys that members create share this quota, and
            all test keys another one of the same size.
          </Text>
          <ModeField mode={mode} onChange={setMode} />
          <NameField form={form} />
          <ScopesField form={form} canWrite={plan.writes || isTest} offered={isTest ? testScopes : scopes} />
          <NetworksField form={form} violations={networks.violations} />
          <DocumentsField form={form} />
          <ExpiryField form={form} />
          <Group justify="flex-end">
            <Button variant="default" renderRoot={(props) => <Link to="/keys" {...props} />}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create API key
            </Button>
          </Group>
        </Stack>
      </form>
      <SecretDialog title="API key created" secret={created?.key ?? null} close={openKey} />
    </Paper>
  );
}
