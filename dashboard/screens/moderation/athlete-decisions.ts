/** The decisions of a moderator on an athlete, for the queue and the page. */
import { graphql } from '../../graph/graphql.ts';
import { reinstate, reject, suspend, verify, type Decision } from './decisions.ts';

const verifyMutation = graphql(`
  mutation VerifyAthlete($id: ID!, $text: String) {
    verifyAthlete(id: $id, method: $text) {
      id
    }
  }
`);
const rejectMutation = graphql(`
  mutation RejectAthlete($id: ID!, $text: String) {
    rejectAthlete(id: $id, reason: $text) {
      id
    }
  }
`);
const suspendMutation = graphql(`
  mutation SuspendAthlete($id: ID!, $text: String) {
    suspendAthlete(id: $id, reason: $text) {
      id
    }
  }
`);
const reinstateMutation = graphql(`
  mutation ReinstateAthlete($id: ID!) {
    reinstateAthlete(id: $id) {
      id
    }
  }
`);

const reviewDecisions: readonly Decision[] = [
  verify(verifyMutation, 'Verification method'),
  reject(rejectMutation),
  suspend(suspendMutation, 'Only the owner can see a suspended athlete, until a moderator reinstates the profile.'),
];
const suspendedDecisions: readonly Decision[] = [reinstate(reinstateMutation)];

/** The decisions that the status of an athlete allows. */
export const athleteDecisions = ({ status }: { readonly status: string }): readonly Decision[] =>
  status === 'SUSPENDED' ? suspendedDecisions : reviewDecisions;
