/** The billing data of the account, which later invoices have. Owners change it. */
import { Button, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DescriptionList } from '../../../components/description-list.tsx';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../../components/edit-conflict.tsx';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphMutation, useGraphQuery } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { useHasScope } from '../../../session/session.ts';
import type { BillingDataQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';

const billingQuery = graphql(`
  query BillingData {
    member {
      account {
        version
        name
        legalName
        billingAddress
        vatId
        reverseCharge
      }
    }
  }
`);

const updateBillingMutation = graphql(`
  mutation UpdateBillingData($input: UpdateBillingDataInput!, $ifMatch: String!) {
    updateBillingData(input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

type Account = NonNullable<BillingDataQuery['member']>['account'];

export function BillingData() {
  const query = useGraphQuery(billingQuery, {});
  const canChange = useHasScope('billing:write');
  const [isEditing, setEditing] = useState(false);
  const account = query.data?.member?.account;
  const close = (): void => setEditing(false);
  return (
    <Section
      title="Billing data"
      controls={
        canChange ? (
          <Button variant="default" size="xs" disabled={account === undefined} onClick={() => setEditing(true)}>
            Edit billing data
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Only owners can change the billing data.
          </Text>
        )
      }
    >
      <QueryResult query={query} name="billing data" lines={2}>
        {({ member }) => member && <Details account={member.account} />}
      </QueryResult>
      <Modal opened={isEditing} onClose={close} title="Edit billing data">
        {isEditing && account && (
          <ReloadableForm>{(reload) => <BillingForm account={account} close={close} reload={reload} />}</ReloadableForm>
        )}
      </Modal>
    </Section>
  );
}

const Details = ({ account: { name, legalName, billingAddress, vatId, reverseCharge } }: { readonly account: Account }) => (
  <Stack gap="sm">
    <DescriptionList
      items={[
        ['Legal name', legalName ?? `${name} (name of the account)`],
        [
          'Address',
          <Text key="address" component="span" inherit style={{ whiteSpace: 'pre-line' }}>
            {billingAddress ?? 'None'}
          </Text>,
        ],
        ['VAT identification number', vatId ?? 'None'],
        ['VAT', reverseCharge && vatId !== null ? 'Reverse charge' : 'At the rate of the operator'],
      ]}
    />
    <Text size="sm" c="dimmed">
      Invoices of later months have this data. Invoices of closed months do not change.
    </Text>
  </Stack>
);

interface Values {
  readonly legalName: string;
  readonly billingAddress: string;
  readonly vatId: string;
}

const valuesOf = ({ legalName, billingAddress, vatId }: Account): Values => ({
  legalName: legalName ?? '',
  billingAddress: billingAddress ?? '',
  vatId: vatId ?? '',
});

const fieldsOf = ({ legalName, billingAddress, vatId }: Values): ConflictFields => ({
  'Legal name': legalName,
  Address: billingAddress,
  'VAT identification number': vatId,
});

const vatIdPattern = /^[A-Za-z0-9][A-Za-z0-9 ./-]{2,29}$/;

/** The API has the same rule, as a pattern. */
const vatIdError = (vatId: string): string | null =>
  vatId.trim() === '' || vatIdPattern.test(vatId.trim())
    ? null
    : 'Enter 3 to 30 letters and digits. Spaces, dots, slashes and hyphens are allowed.';

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

interface BillingFormProps {
  readonly account: Account;
  readonly close: () => void;
  readonly reload: () => void;
}

function BillingForm({ account, close, reload }: BillingFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(account);
  const form = useForm<Values>({ initialValues: valuesOf(initial), validate: { vatId: vatIdError } });
  const { mutate, isPending, error } = useGraphMutation(updateBillingMutation, {
    successMessage: 'Billing data changed',
    onSuccess: close,
    onError: (error) => {
      form.setErrors(violationsByField(error));
      return isEditConflict(error);
    },
  });
  const submit = ({ legalName, billingAddress, vatId }: Values): void =>
    mutate({
      ifMatch: String(initial.version),
      input: { legalName: textOrNull(legalName), billingAddress: textOrNull(billingAddress), vatId: textOrNull(vatId) },
    });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={account.version === initial.version ? null : fieldsOf(valuesOf(account))}
            yours={fieldsOf(form.values)}
          />
        )}
        <TextInput
          data-autofocus
          label="Legal name"
          description={`On invoices. Default: ${initial.name}.`}
          maxLength={200}
          autoComplete="organization"
          {...form.getInputProps('legalName')}
        />
        <Textarea
          label="Address"
          description="On invoices, one line each for street, city and country."
          maxLength={500}
          autosize
          minRows={3}
          autoComplete="street-address"
          {...form.getInputProps('billingAddress')}
        />
        <TextInput
          label="VAT identification number"
          description="Such as DE123456789."
          maxLength={30}
          autoComplete="off"
          {...form.getInputProps('vatId')}
        />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
