/** The fields of limits and of a price, of plans and of contracts. */
import { Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

/** As it is typed: '' where nothing is. */
export type Typed = number | string;

export interface LimitsValues {
  readonly burstPerMinute: Typed;
  readonly perDay: Typed;
  readonly perMonth: Typed;
  /** In whole units of the currency: 19.99. */
  readonly amount: Typed;
  readonly currency: string;
}

export const numberOrNull = (typed: Typed): number | null => (typed === '' ? null : Number(typed));

/** Decimals of a currency: 2 of EUR, 0 of JPY; 2 while it is no currency. */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** What the platform counts in; null where no price is typed. */
export function priceOf({ amount, currency }: Pick<LimitsValues, 'amount' | 'currency'>) {
  const value = numberOrNull(amount);
  return value === null ? null : { amountMinor: Math.round(value * 10 ** decimalsOf(currency)), currency };
}

interface FieldsProps {
  readonly form: UseFormReturnType<LimitsValues>;
  readonly required?: boolean;
  readonly placeholder?: string;
}

const whole = { allowDecimal: false, allowNegative: false, min: 1, thousandSeparator: ',', hideControls: true } as const;

export const LimitsFields = ({ form, ...rest }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }}>
    <NumberInput label="Requests a minute" {...whole} {...rest} {...form.getInputProps('burstPerMinute')} />
    <NumberInput label="Requests a day" {...whole} {...rest} {...form.getInputProps('perDay')} />
    <NumberInput label="Requests a month" {...whole} {...rest} {...form.getInputProps('perMonth')} />
  </SimpleGrid>
);

export const PriceFields = ({ form, ...rest }: FieldsProps) => (
  <Group grow align="flex-start">
    <NumberInput
      label="Price a month"
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
