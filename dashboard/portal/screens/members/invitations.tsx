/** The open invitations of the account, with buttons that withdraw them. */
import { EmptyState } from '../../../components/empty-state.tsx';
import { InvitationTable } from '../../../components/members/invitation-table.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';

const invitationsQuery = graphql(`
  query AccountInvitations {
    accountInvitations {
      id
      email
      role
      createdAt
      expiresAt
      invitedBy
    }
  }
`);

const withdrawMutation = graphql(`
  mutation WithdrawInvitation($id: ID!) {
    withdrawInvitation(id: $id) {
      id
    }
  }
`);

export function Invitations() {
  const invitations = useGraphQuery(invitationsQuery, {});
  return (
    <Section title="Open invitations">
      <QueryResult query={invitations} name="invitations" lines={2}>
        {({ accountInvitations }) => (
          <InvitationTable
            invitations={accountInvitations ?? []}
            withdraw={withdrawMutation}
            empty={<EmptyState title="No open invitations">Invite a member to give a colleague access.</EmptyState>}
          />
        )}
      </QueryResult>
    </Section>
  );
}
