/** How each part of the platform is. */
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import type { OverviewHealthQuery } from '../../generated/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { duration } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';
import { said, StatusBadge } from '../../parts/status-badge.tsx';
import { refreshEveryMs } from './totals.ts';

// by itself: a part that does not answer takes two seconds, which the numbers need not wait for
const healthQuery = graphql(`
  query OverviewHealth {
    health {
      name
      status
      detail
      durationMs
    }
  }
`);

type Part = NonNullable<OverviewHealthQuery['health']>[number];

const columns: readonly Column<Part>[] = [
  { title: 'Part', cell: ({ name }) => said(name) },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Answered in', cell: ({ durationMs }) => duration(durationMs), numeric: true },
  { title: 'More', cell: ({ detail }) => detail },
];

export function Health() {
  const health = useAsk(healthQuery, {}, { everyMs: refreshEveryMs });
  return (
    <Section title="Health">
      <Answered of={health} name="health">
        {({ health: parts }) => (
          <DataTable
            label="Health"
            columns={columns}
            rows={parts ?? []}
            rowKey={({ name }) => name}
            empty={<Empty title="Nothing was told" />}
          />
        )}
      </Answered>
    </Section>
  );
}
