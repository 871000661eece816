/** The decisions of a moderator that several queues share. */
import type { Document } from '../../graph/graphql.ts';

type DecisionDocument = Document<unknown, { id: string; text: string }>;

export interface Decision {
  /** The label of the button: "Verify". */
  readonly verb: string;
  /** For the success notification: "Verified". */
  readonly pastTense: string;
  readonly document: DecisionDocument;
  /** The label of a required text field: "Reason". */
  readonly field?: string;
  /** The impact of a decision that hides a resource. The dialog then requires its name. */
  readonly impact?: string;
}

export const verify = (document: DecisionDocument, field?: string): Decision => ({
  verb: 'Verify',
  pastTense: 'Verified',
  document,
  ...(field !== undefined && { field }),
});

export const reject = (document: DecisionDocument): Decision => ({
  verb: 'Reject',
  pastTense: 'Rejected',
  field: 'Reason',
  document,
});

export const suspend = (document: DecisionDocument, impact: string): Decision => ({
  verb: 'Suspend',
  pastTense: 'Suspended',
  impact,
  document,
});

export const reinstate = (document: DecisionDocument): Decision => ({
  verb: 'Reinstate',
  pastTense: 'Reinstated',
  document,
});
