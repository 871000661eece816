/** The invoice of a statement: number, parties and totals. */
import { SimpleGrid, Table, Text } from '@mantine/core';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { formatMoney, formatRate } from '../../../components/number-format.ts';
import { ScrollableTable } from '../../../components/scrollable-table.tsx';
import { Section } from '../../../components/section.tsx';
import type { StatementDetails } from './statement.tsx';

type Invoice = NonNullable<StatementDetails['invoice']>;
type Party = Invoice['seller'];

/** A VAT rate is in hundredths of a percent. */
const basisPoints = 10_000;

export function InvoiceSection({ invoice }: { readonly invoice: Invoice }) {
  const { number, issuedOn, periodStart, periodEnd, seller, buyer, note } = invoice;
  return (
    <Section title="Invoice">
      <DescriptionList
        items={[
          ['Number', <CopyableId key="number" label="invoice number" id={number} />],
          ['Date', issuedOn],
          ['Period', `${periodStart} to ${periodEnd}`],
        ]}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PartyAddress title="From" party={seller} />
        <PartyAddress title="To" party={buyer} />
      </SimpleGrid>
      <Totals invoice={invoice} />
      {note !== null && <Text>{note}</Text>}
    </Section>
  );
}

const PartyAddress = ({ title, party: { name, address, vatId } }: { readonly title: string; readonly party: Party }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {[name, address, vatId && `VAT ID ${vatId}`].filter(Boolean).join('\n')}
    </Text>
  </div>
);

const Totals = ({ invoice: { totals, vatBasisPoints } }: { readonly invoice: Invoice }) => (
  <ScrollableTable label="Totals of the invoice">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Net</Table.Th>
        <Table.Th ta="right">VAT{vatBasisPoints !== null && ` ${formatRate(vatBasisPoints / basisPoints)}`}</Table.Th>
        <Table.Th ta="right">Total</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {totals.map(({ currency, netMinor, vatMinor, grossMinor }) => (
        <Table.Tr key={currency}>
          <Table.Td>{formatMoney({ amountMinor: netMinor, currency })}</Table.Td>
          <Table.Td ta="right">{formatMoney({ amountMinor: vatMinor, currency })}</Table.Td>
          <Table.Td ta="right" fw={600}>
            {formatMoney({ amountMinor: grossMinor, currency })}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </ScrollableTable>
);
