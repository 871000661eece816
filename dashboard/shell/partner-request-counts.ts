/** The numbers of open requests of partners, for the navigation and the tabs. */
import { graphql } from '../graph/graphql.ts';
import { useGraphQuery } from '../graph/operations.ts';

const requestCountsQuery = graphql(`
  query OpenRequestCounts {
    openRequestCounts {
      planRequests
      verificationRequests
    }
  }
`);

const everyMinuteMs = 60_000;

/** The open requests by kind; undefined until they are loaded. */
export function usePartnerRequestCounts(): { readonly plans: number; readonly verifications: number } | undefined {
  const { data } = useGraphQuery(requestCountsQuery, {}, { refetchEveryMs: everyMinuteMs });
  return (
    data && {
      plans: data.openRequestCounts?.planRequests ?? 0,
      verifications: data.openRequestCounts?.verificationRequests ?? 0,
    }
  );
}
