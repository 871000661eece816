/** The other forms of a statement: a page for print, CSV and JSON. */
import { Button } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { csvType, downloadFile } from '../../../components/csv.ts';
import { selectedAccount } from '../../../graph/app.ts';
import { notifyError, runOperation } from '../../../graph/operations.ts';
import type { RequestError } from '../../../graph/request-error.ts';
import { graphql } from '../../graphql.ts';
import type { StatementDetails } from './statement.tsx';

const csvQuery = graphql(`
  query OwnStatementCsv($month: String!) {
    usageStatement(month: $month) {
      document(format: CSV)
    }
  }
`);

export function StatementDownloads({ statement }: { readonly statement: StatementDetails }) {
  const { month, invoice } = statement;
  const csv = useMutation<string | null, RequestError>({
    mutationFn: async () => (await runOperation(csvQuery, { month })).usageStatement?.document ?? null,
    onSuccess: (text) => text !== null && downloadFile(`statement-${month}.csv`, csvType, text),
    onError: notifyError,
  });
  const icon = <IconDownload size={16} aria-hidden />;
  return (
    <>
      <Button variant="default" leftSection={icon} loading={csv.isPending} onClick={() => csv.mutate()}>
        Export CSV
      </Button>
      <Button
        variant="default"
        leftSection={icon}
        onClick={() => downloadFile(`statement-${month}.json`, 'application/json', `${JSON.stringify(statement, null, 2)}\n`)}
      >
        Export JSON
      </Button>
      <Button
        component="a"
        href={`/portal/accounts/${selectedAccount.get()}/statements/${month}`}
        target="_blank"
        rel="noopener"
        leftSection={<IconPrinter size={16} aria-hidden />}
      >
        {invoice === null ? 'Open page for print' : 'Open invoice for print'}
      </Button>
    </>
  );
}
