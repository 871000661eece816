/** The decisions of a moderator on an organization, for the queue and the page. */
import { graphql } from '../../graph/graphql.ts';
import { reinstate, reject, suspend, verify, type Decision } from './decisions.ts';

const verifyMutation = graphql(`
  mutation VerifyOrganization($id: ID!, $text: String) {
    verifyOrganization(id: $id, method: $text) {
      id
    }
  }
`);
const rejectMutation = graphql(`
  mutation RejectOrganization($id: ID!, $text: String) {
    rejectOrganization(id: $id, reason: $text) {
      id
    }
  }
`);
const suspendMutation = graphql(`
  mutation SuspendOrganization($id: ID!, $text: String) {
    suspendOrganization(id: $id, reason: $text) {
      id
    }
  }
`);
const reinstateMutation = graphql(`
  mutation ReinstateOrganization($id: ID!) {
    reinstateOrganization(id: $id) {
      id
    }
  }
`);

const reviewDecisions: readonly Decision[] = [
  verify(verifyMutation, 'Verification method'),
  reject(rejectMutation),
  suspend(suspendMutation, 'Only the owner can see a suspended organization, until a moderator reinstates it.'),
];
const suspendedDecisions: readonly Decision[] = [reinstate(reinstateMutation)];

/** The decisions that the status of an organization allows. */
export const organizationDecisions = ({ status }: { readonly status: string }): readonly Decision[] =>
  status === 'SUSPENDED' ? suspendedDecisions : reviewDecisions;
