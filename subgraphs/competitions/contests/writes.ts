/** Write description of contests. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { CreateContestInput, UpdateContestInput } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { orDefault } from '../season-parts/default-values.ts';
import { noFacts, type PartDescription, type PartWrite } from '../season-parts/writes.ts';
import { contestResource, type ContestRow } from './rows.ts';

function valuesOf({ season }: PartWrite<null>, input: UpdateContestInput): Promise<Partial<ContestRow>> {
  const {
    name,
    eventCode,
    category,
    ageGroup,
    weightClass,
    sportClass,
    course,
    distanceMeters,
    order,
    relay,
    externalIds: _,
    ...unmapped
  } = input;
  rejectInvalid([registryViolation('/eventCode', season.sport, 'event', eventCode)]);
  return Promise.resolve(
    rowValues<ContestRow>(
      {
        name,
        eventCode,
        category,
        ageGroup,
        weightClass,
        sportClass,
        course,
        distanceMeters,
        ordinal: orDefault(order, 0),
        relay: orDefault(relay, false),
      },
      unmapped,
    ),
  );
}

export const contestDescription: PartDescription<ContestRow, UpdateContestInput, CreateContestInput, null> = {
  resource: contestResource,
  title: 'Contest',
  plural: 'Contests',
  immutable: [],
  fetchFacts: noFacts,
  newValues: (write, input) => valuesOf(write, input),
  patchValues: (write, _, input) => valuesOf(write, input),
  rankingScope: ({ id }) => ({ contestId: id }),
};
