/** The contracts of an account: custom limits and prices that override a plan. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { ContractsQuery } from '../../generated/graphql.ts';
import { useGraphQuery, useGraphMutation } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PlanLink } from '../../components/links.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount, formatMoney } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';
import { SetContract } from './set-contract.tsx';

const contractsQuery = graphql(`
  query Contracts($id: ID!) {
    account(id: $id) {
      contracts {
        id
        plan
        createdAt
        burstPerMinute
        perDay
        perMonth
        price {
          amountMinor
          currency
        }
      }
    }
  }
`);
const endContractMutation = graphql(`
  mutation EndContract($id: ID!) {
    endContract(id: $id) {
      id
    }
  }
`);

type Contract = NonNullable<NonNullable<ContractsQuery['account']>['contracts']>[number];

/** A limit of the contract; null for the limit of the plan. */
const limitText = (value: number | null): string => (value === null ? 'Plan default' : formatCount(value));

const columns: readonly Column<Contract>[] = [
  { title: 'Plan', cell: ({ plan }) => <PlanLink code={plan} name={plan} /> },
  { title: 'Per minute', cell: ({ burstPerMinute }) => limitText(burstPerMinute), numeric: true },
  { title: 'Per day', cell: ({ perDay }) => limitText(perDay), numeric: true },
  { title: 'Per month', cell: ({ perMonth }) => limitText(perMonth), numeric: true },
  { title: 'Price per month', cell: ({ price }) => (price === null ? 'Plan default' : formatMoney(price)), numeric: true },
  { title: 'Since', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

interface ContractsProps {
  readonly id: string;
  readonly canEdit: boolean;
}

export function Contracts({ id, canEdit }: ContractsProps) {
  const contracts = useGraphQuery(contractsQuery, { id });
  const [isSetting, { open, close }] = useDisclosure(false);
  const [ending, setEnding] = useState<Contract | null>(null);
  const end = useGraphMutation(endContractMutation, { successMessage: 'Contract ended', onSuccess: () => setEnding(null) });
  const endColumn: Column<Contract> = {
    title: 'Actions',
    cell: (contract) => (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setEnding(contract)}
        aria-label={`End contract for ${contract.plan}`}
      >
        End
      </Button>
    ),
  };
  return (
    <Section
      title="Contracts"
      controls={
        canEdit && (
          <Button size="xs" variant="default" onClick={open}>
            Set contract
          </Button>
        )
      }
    >
      <QueryResult query={contracts} name="contracts" lines={2}>
        {({ account }) => (
          <DataTable
            label="Active contracts"
            columns={canEdit ? [...columns, endColumn] : columns}
            rows={account?.contracts ?? []}
            rowKey={({ id: contractId }) => contractId}
            empty={<EmptyState title="No contracts">The limits and prices of the plans apply.</EmptyState>}
          />
        )}
      </QueryResult>
      <SetContract accountId={id} opened={isSetting} close={close} />
      <ConfirmDialog
        opened={ending !== null}
        close={() => setEnding(null)}
        title="End this contract?"
        name={ending?.plan ?? ''}
        action="End contract"
        isPending={end.isPending}
        onConfirm={() => ending !== null && end.mutate({ id: ending.id })}
      >
        <Text inherit>The limits and the price of the plan apply immediately to all API keys of the account on this plan.</Text>
      </ConfirmDialog>
    </Section>
  );
}
