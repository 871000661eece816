/** The first screen: the account, its plan and limits. */
import { QueryResult } from '../../../components/query-result.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { enumLabel } from '../../../components/enum-label.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';

const overviewQuery = graphql(`
  query PortalOverview {
    member {
      role
      account {
        name
        liveKeys
      }
      plan {
        code
        name
      }
    }
  }
`);

export function Overview() {
  const query = useGraphQuery(overviewQuery, {});
  return (
    <Screen title="Overview">
      <QueryResult query={query} name="account">
        {({ member }) =>
          member && (
            <Section title="Account">
              <DescriptionList
                items={[
                  ['Name', member.account.name],
                  ['Your role', enumLabel(member.role)],
                  ['Plan', member.plan.name],
                  ['API keys', member.account.liveKeys],
                ]}
              />
            </Section>
          )
        }
      </QueryResult>
    </Screen>
  );
}
