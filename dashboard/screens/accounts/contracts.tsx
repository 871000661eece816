/** The contracts of an account: numbers of its own in place of a plan's. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { ContractsQuery } from '../../generated/graphql.ts';
import { useAsk, useChange } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PlanLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { count, money } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';
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

/** A number of the contract, or the plan's. */
const own = (value: number | null): string => (value === null ? 'As the plan' : count(value));

const columns: readonly Column<Contract>[] = [
  { title: 'For plan', cell: ({ plan }) => <PlanLink code={plan} name={plan} /> },
  { title: 'A minute', cell: ({ burstPerMinute }) => own(burstPerMinute), numeric: true },
  { title: 'A day', cell: ({ perDay }) => own(perDay), numeric: true },
  { title: 'A month', cell: ({ perMonth }) => own(perMonth), numeric: true },
  { title: 'Price a month', cell: ({ price }) => (price === null ? 'As the plan' : money(price)), numeric: true },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface ContractsProps {
  readonly id: string;
  readonly mayChange: boolean;
}

export function Contracts({ id, mayChange }: ContractsProps) {
  const contracts = useAsk(contractsQuery, { id });
  const [setting, { open, close }] = useDisclosure(false);
  const [ending, setEnding] = useState<Contract | null>(null);
  const end = useChange(endContractMutation, { said: 'Contract ended', done: () => setEnding(null) });
  const endColumn: Column<Contract> = {
    title: 'Action',
    cell: (contract) => (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setEnding(contract)}
        aria-label={`End the contract for ${contract.plan}`}
      >
        End
      </Button>
    ),
  };
  return (
    <Section
      title="Contracts"
      tools={
        mayChange && (
          <Button size="xs" variant="default" onClick={open}>
            Set a contract
          </Button>
        )
      }
    >
      <Answered of={contracts} name="the contracts" lines={2}>
        {({ account }) => (
          <DataTable
            label="Contracts that count"
            columns={mayChange ? [...columns, endColumn] : columns}
            rows={account?.contracts ?? []}
            rowKey={({ id: contractId }) => contractId}
            empty={<Empty title="No contracts">The numbers of its plans count.</Empty>}
          />
        )}
      </Answered>
      <SetContract accountId={id} opened={setting} close={close} />
      <ConfirmByName
        opened={ending !== null}
        close={() => setEnding(null)}
        title="End this contract?"
        name={ending?.plan ?? ''}
        action="End"
        pending={end.isPending}
        confirm={() => ending !== null && end.mutate({ id: ending.id })}
      >
        <Text inherit>From now on the numbers of the plan count, for all keys of the account that hold it.</Text>
      </ConfirmByName>
    </Section>
  );
}
