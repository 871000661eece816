/** The form fields for the limits and the price of plans and contracts. */
import { Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

/** The value of a number field; '' when empty. */
export type NumberValue = number | string;

export interface LimitsValues {
  readonly burstPerMinute: NumberValue;
  readonly perDay: NumberValue;
  readonly perMonth: NumberValue;
  /** In major units of the currency: 19.99. */
  readonly amount: NumberValue;
  readonly currency: string;
}

export const numberOrNull = (value: NumberValue): number | null => (value === '' ? null : Number(value));

/** Decimal places of a currency: 2 for EUR, 0 for JPY, and 2 for an incomplete code. */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** The price in minor units; null without an amount. */
export function priceOf({ amount, currency }: Pick<LimitsValues, 'amount' | 'currency'>) {
  const value = numberOrNull(amount);
  return value === null ? null : { amountMinor: Math.round(value * 10 ** decimalsOf(currency)), currency };
}

interface FieldsProps {
  readonly form: UseFormReturnType<LimitsValues>;
  readonly required?: boolean;
  readonly placeholder?: string;
}

const integer = { allowDecimal: false, allowNegative: false, min: 1, thousandSeparator: ',', hideControls: true } as const;

export const LimitsFields = ({ form, ...rest }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }}>
    <NumberInput label="Requests per minute" {...integer} {...rest} {...form.getInputProps('burstPerMinute')} />
    <NumberInput label="Requests per day" {...integer} {...rest} {...form.getInputProps('perDay')} />
    <NumberInput label="Requests per month" {...integer} {...rest} {...form.getInputProps('perMonth')} />
  </SimpleGrid>
);

export const PriceFields = ({ form, ...rest }: FieldsProps) => (
  <Group grow align="flex-start">
    <NumberInput
      label="Price per month"
      min={0}
      allowNegative={false}
      decimalScale={decimalsOf(form.values.currency)}
      thousandSeparator=","
      hideControls
      {...rest}
      {...form.getInputProps('amount')}
      error={form.errors['amount'] ?? form.errors['price']}
    />
    <TextInput
      label="Currency"
      required
      maxLength={3}
      autoComplete="off"
      {...form.getInputProps('currency')}
      onChange={(event) => form.setFieldValue('currency', event.currentTarget.value.toUpperCase())}
    />
  </Group>
);
