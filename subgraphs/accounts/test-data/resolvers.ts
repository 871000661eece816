/** The resolver that deletes the test data of an account. */
import { Problem } from '../../../schema/errors.ts';
import { requireMemberScope } from '../access.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export const testDataResolvers = ({ resetTestData }: Pick<AreaServices, 'resetTestData'>) =>
  ({
    Mutation: {
      async deleteTestData(_, __, { viewer }) {
        const { sandbox } = viewer;
        if (viewer.kind === 'MEMBER') requireMemberScope(viewer, 'keys:write');
        if (sandbox === undefined)
          throw new Problem(
            'conflict',
            'Only a test key can delete test data. The public ID of a test key begins with sp_test_.',
          );
        if (resetTestData === undefined) throw new Problem('upstream_unavailable', 'This installation has no test mode.');
        await resetTestData(sandbox);
        return { deleted: true };
      },
    },
  }) satisfies Resolvers;
