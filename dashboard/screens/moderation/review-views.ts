/** The views that the queues of verified resources share. */
import type { VerificationStatus } from '../../generated/graphql.ts';

interface ReviewFilter {
  readonly status: ('ACTIVE' | 'SUSPENDED')[];
  readonly verification?: VerificationStatus[];
}

const variablesOf = (filter: ReviewFilter) => (after: string | null, q: string | undefined) => ({
  after,
  filter: { ...filter, ...(q !== undefined && { q }) },
});

export const needsReview = {
  name: 'all',
  label: 'Needs review',
  variablesOf: variablesOf({ status: ['ACTIVE'], verification: ['PENDING', 'UNVERIFIED'] }),
};

export const changedSinceVerification = {
  name: 'changed',
  label: 'Changed since verification',
  variablesOf: variablesOf({ status: ['ACTIVE'], verification: ['PENDING'] }),
};

export const suspended = { name: 'suspended', label: 'Suspended', variablesOf: variablesOf({ status: ['SUSPENDED'] }) };
