/** The screen that issues an API key. The secret is displayed once and exists in memory only: not in a URL, storage or cache. */
import { Button, Group, Paper, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { valuesOfLines } from '../../components/lines-field.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { useHasScope } from '../../session/session.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { PlanSelect, usePlans } from '../plans/plan-select.tsx';
import { DocumentsField, ExpiryField, NameField, NetworksField, ScopesField } from './key-fields.tsx';
import { expiryOf, scopesIn, useNetworkViolations, type KeyFormValues } from './key-form.ts';

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
  readonly accountKind: 'EXISTING' | 'NEW';
  readonly accountId: string | null;
  readonly accountName: string;
  readonly plan: string | null;
}

const emptyValues: Values = {
  accountKind: 'EXISTING',
  accountId: null,
  accountName: '',
  name: '',
  plan: null,
  scopes: [],
  networks: '',
  registeredDocumentsOnly: false,
  expiry: 'NEVER',
  day: '',
};

const inputOf = (values: Values, canWrite: boolean) => ({
  ...(values.accountKind === 'EXISTING' ? { accountId: values.accountId } : { accountName: values.accountName }),
  name: values.name,
  plan: values.plan ?? '',
  scopes: scopesIn(values.scopes, canWrite),
  allowedCidrs: valuesOfLines(values.networks),
  registeredDocumentsOnly: values.registeredDocumentsOnly,
  expiresAt: expiryOf(values) ?? null,
});

const route = getRouteApi('/signed-in/keys/issue');

export function IssueKey() {
  const canIssue = useHasScope('administration:write');
  return (
    <Screen title="Issue API key" description="The key is displayed once, after you issue it.">
      {canIssue ? <IssueForm /> : <ReadOnlyNotice />}
    </Screen>
  );
}

function IssueForm() {
  const { account = null } = route.useSearch();
  const navigate = useNavigate();
  const { planOf } = usePlans();
  const networks = useNetworkViolations();
  const form = useForm<Values>({
    initialValues: { ...emptyValues, accountId: account },
    validate: {
      accountId: (id, { accountKind }) => (accountKind === 'EXISTING' && id === null ? 'Select an account.' : null),
      plan: (plan) => (plan === null ? 'Select a plan.' : null),
    },
    onValuesChange: networks.clearOnChange,
  });
  const canWrite = planOf(form.values.plan)?.writes;
  const issue = useGraphMutation(issueKeyMutation, {
    isSecret: true,
    onError: (error) => {
      form.setErrors(violationsByField(error));
      networks.setFrom(error);
    },
  });
  const issued = issue.data?.issueApiKey;
  const openKey = (): void => {
    if (issued) void navigate({ to: '/keys/$id', params: { id: issued.apiKey.id }, replace: true });
  };
  return (
    <Paper withBorder p="md" maw={860}>
      <form
        onSubmit={form.onSubmit(
          (values) => issue.mutate({ input: inputOf(values, canWrite ?? true) }),
          // the form is longer than the window: its first invalid field can be out of view
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
      >
        <Stack>
          <AccountFields form={form} />
          <NameField form={form} />
          <PlanSelect {...form.getInputProps('plan')} value={form.values.plan} />
          <ScopesField form={form} canWrite={canWrite} />
          <NetworksField form={form} violations={networks.violations} />
          <DocumentsField form={form} />
          <ExpiryField form={form} />
          <Group justify="flex-end">
            <Button variant="default" renderRoot={(props) => <Link to="/keys" {...props} />}>
              Cancel
            </Button>
            <Button type="submit" loading={issue.isPending}>
              Issue API key
            </Button>
          </Group>
        </Stack>
      </form>
      <SecretDialog title="API key issued" secret={issued?.key ?? null} close={openKey} />
    </Paper>
  );
}

/** Selects an existing account, or names a new one. */
const AccountFields = ({ form }: { readonly form: UseFormReturnType<Values> }) => (
  <>
    <SegmentedControl
      aria-label="Account of the key"
      data={[
        { value: 'EXISTING', label: 'Existing account' },
        { value: 'NEW', label: 'New account' },
      ]}
      {...form.getInputProps('accountKind')}
    />
    {form.values.accountKind === 'EXISTING' ? (
      <AccountSelect
        label="Account"
        placeholder="Search accounts"
        required
        activeOnly
        {...form.getInputProps('accountId')}
        value={form.values.accountId}
      />
    ) : (
      <TextInput
        label="Account name"
        description="If an account with this name exists, the key is added to it."
        required
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('accountName')}
      />
    )}
  </>
);
