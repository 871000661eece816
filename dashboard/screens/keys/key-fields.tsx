/** The fields of a key: what it may do, from where, and for how long. */
import { Badge, Checkbox, Fieldset, Group, List, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { keyScopes, scopes as scopeTable } from '../../../schema/scopes.ts';
import { isInPlan, linesOf, type ExpiryChoice, type KeyFormValues } from './key-form.ts';

interface FieldProps {
  readonly form: UseFormReturnType<KeyFormValues>;
}

const scopesByArea = Map.groupBy(keyScopes, (scope) => scope.split(':', 1)[0] ?? scope);

/** `writes`: whether the plan lets keys write; undefined before a plan is chosen. */
export function ScopesField({ form, writes = true }: FieldProps & { readonly writes?: boolean }) {
  return (
    <Checkbox.Group
      label="Scopes"
      description={writes ? 'Public reads need none.' : 'Public reads need none. This plan has no write access.'}
      {...form.getInputProps('scopes')}
      value={form.values.scopes.filter((scope) => keyScopes.some((known) => known === scope && isInPlan(known, writes)))}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="xs">
        {[...scopesByArea].map(([area, scopes]) => (
          <Fieldset key={area} legend={area} p="sm">
            <Stack gap="xs">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  disabled={!isInPlan(scope, writes)}
                  label={
                    <Group gap="xs">
                      <span>{scope}</span>
                      {scopeTable[scope].granted === 'ADMINISTRATOR' && (
                        <Badge size="sm" variant="light" color="grape" tt="none">
                          Only administrators grant it
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

/** `faults`: what is wrong with which of the networks, by their place among those that were told. */
export function NetworksField({ form, violations }: FieldProps & { readonly violations: ReadonlyMap<number, string> }) {
  const lines = linesOf(form.values.networks);
  const wrong = [...violations].flatMap(([place, detail]) => {
    const line = lines[place];
    return line === undefined ? [] : [{ ...line, detail }];
  });
  return (
    <Textarea
      label="Networks"
      description="One on each line, such as 203.0.113.0/24; none: from anywhere."
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...form.getInputProps('networks')}
      error={
        wrong.length === 0 ? (
          form.errors['networks']
        ) : (
          <List component="ul" size="xs" listStyleType="none">
            {wrong.map(({ line, detail }) => (
              <List.Item key={line}>
                Line {line}: {detail}
              </List.Item>
            ))}
          </List>
        )
      }
    />
  );
}

const choices: readonly { readonly value: ExpiryChoice; readonly label: string }[] = [
  { value: 'NEVER', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'DAY', label: 'At the end of a day' },
];

/** `same`: how long the key lasts as it is, where one is changed. */
export function ExpiryField({ form, same }: FieldProps & { readonly same?: string }) {
  const data = same === undefined ? choices : [{ value: 'SAME', label: `As it is: ${same}` }, ...choices];
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label="Expires"
        data={data}
        allowDeselect={false}
        {...form.getInputProps('expiry')}
        error={form.errors['expiresAt']}
      />
      {form.values.expiry === 'DAY' && (
        <TextInput
          type="date"
          label="Last day"
          description="It ends with this day, in UTC."
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
    label="Name"
    description="For people: where it is used."
    required
    maxLength={100}
    autoComplete="off"
    {...form.getInputProps('name')}
  />
);
