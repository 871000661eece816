/** The transitions of athletes. */
import { athleteTransitions } from '../../../subgraphs/athletes/athletes/rules.ts';
import { testTransitionTable } from '../runtime/transition-table.ts';

const states = ['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED', 'MERGED', 'ERASURE_REQUESTED', 'ERASED'] as const;

testTransitionTable('athlete', athleteTransitions, states, [
  'OWNER DRAFT activate ACTIVE',
  'OWNER INACTIVE activate ACTIVE',
  'OWNER PENDING_CONSENT activate ACTIVE',
  'OWNER ACTIVE deactivate INACTIVE',
  'OWNER PENDING_CONSENT deactivate INACTIVE',
  'MODERATOR ACTIVE suspend SUSPENDED',
  'MODERATOR SUSPENDED reinstate ACTIVE',
  ...['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED'].map((state) => `MODERATOR ${state} merge MERGED`),
  ...['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED', 'MERGED'].map(
    (state) => `OWNER ${state} erase ERASURE_REQUESTED`,
  ),
  'TIMER ERASURE_REQUESTED destroy ERASED',
]);
