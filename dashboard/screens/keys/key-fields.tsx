/** The form fields of an API key: scopes, networks, documents, expiry and name. */
import { Badge, Checkbox, Fieldset, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { keyScopes, scopes as scopeTable } from '../../../schema/scopes.ts';
import { enumLabel } from '../../components/enum-label.ts';
import { LinesField } from '../../components/lines-field.tsx';
import { isInPlan, type ExpiryChoice, type KeyFormValues } from './key-form.ts';

interface FieldProps {
  readonly form: UseFormReturnType<KeyFormValues>;
}

interface ScopesFieldProps extends FieldProps {
  /** Whether the plan allows write scopes; undefined without a plan. */
  readonly canWrite?: boolean;
  /** The scopes to choose from; default: all. */
  readonly offered?: readonly string[];
}

export function ScopesField({ form, canWrite = true, offered = keyScopes }: ScopesFieldProps) {
  const offeredScopes = keyScopes.filter((scope) => offered.includes(scope));
  const scopesByArea = Map.groupBy(offeredScopes, (scope) => scope.split(':', 1)[0] ?? scope);
  return (
    <Checkbox.Group
      label="Scopes"
      description={
        canWrite ? 'Public reads need no scope.' : 'Public reads need no scope. This plan does not allow write scopes.'
      }
      {...form.getInputProps('scopes')}
      value={form.values.scopes.filter((scope) => keyScopes.some((name) => name === scope && isInPlan(name, canWrite)))}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="xs">
        {[...scopesByArea].map(([area, scopes]) => (
          <Fieldset key={area} legend={enumLabel(area)} p="sm">
            <Stack gap="xs">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  disabled={!isInPlan(scope, canWrite)}
                  label={
                    <Group gap="xs">
                      <span>{scope}</span>
                      {scopeTable[scope].granted === 'ADMINISTRATOR' && (
                        <Badge size="sm" variant="light" color="grape" tt="none">
                          Granted by administrators only
                        </Badge>
                      )}
                    </Group>
                  }
                  description={scopeTable[scope].allows}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

export const DocumentsField = ({ form }: FieldProps) => (
  <Checkbox
    label="Run only registered GraphQL documents"
    description="The key rejects every other GraphQL document. REST requests are not affected."
    {...form.getInputProps('registeredDocumentsOnly', { type: 'checkbox' })}
  />
);

interface NetworksFieldProps extends FieldProps {
  /** Error messages by index of the network. */
  readonly violations: ReadonlyMap<number, string>;
}

export const NetworksField = ({ form, violations }: NetworksFieldProps) => (
  <LinesField
    label="Allowed networks"
    description="One CIDR block per line, for example 203.0.113.0/24. Leave empty to allow all networks."
    violations={violations}
    {...form.getInputProps('networks')}
    value={form.values.networks}
  />
);

const expiryOptions: readonly { readonly value: ExpiryChoice; readonly label: string }[] = [
  { value: 'NEVER', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'DAY', label: 'On a date' },
];

interface ExpiryFieldProps extends FieldProps {
  /** The current expiry of an existing key. */
  readonly currentExpiry?: string;
}

export function ExpiryField({ form, currentExpiry }: ExpiryFieldProps) {
  const unchanged = currentExpiry === undefined ? [] : [{ value: 'UNCHANGED', label: `Unchanged (${currentExpiry})` }];
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label="Expiration"
        data={[...unchanged, ...expiryOptions]}
        allowDeselect={false}
        {...form.getInputProps('expiry')}
        error={form.errors['expiresAt']}
      />
      {form.values.expiry === 'DAY' && (
        <TextInput
          type="date"
          label="Expiration date"
          description="The key expires at the end of this day (UTC)."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          min={new Date().toISOString().slice(0, 10)}
          {...form.getInputProps('day')}
        />
      )}
    </Group>
  );
}

export const NameField = ({ form }: FieldProps) => (
  <TextInput
    data-autofocus
    label="Key name"
    description="Describe where the key is used."
    required
    maxLength={100}
    autoComplete="off"
    {...form.getInputProps('name')}
  />
);
