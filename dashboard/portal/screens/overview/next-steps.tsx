/** The first steps of a new account. */
import { Anchor, Button, List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Section } from '../../../components/section.tsx';
import { Copyable } from '../../../components/secret-dialog.tsx';
import { useHasScope } from '../../../session/session.ts';

const StepIcon = ({ isDone }: { readonly isDone: boolean }) => (
  <ThemeIcon
    variant="light"
    size="sm"
    radius="xl"
    color={isDone ? 'teal' : 'gray'}
    role="img"
    aria-label={isDone ? 'Done' : 'To do'}
  >
    {isDone ? <IconCheck size={12} /> : <IconCircle size={12} />}
  </ThemeIcon>
);

export function NextSteps({ hasKey }: { readonly hasKey: boolean }) {
  const canCreate = useHasScope('keys:write');
  return (
    <Section title="Next steps">
      <List spacing="md" listStyleType="none" styles={{ itemIcon: { alignSelf: 'flex-start' } }}>
        <List.Item icon={<StepIcon isDone={hasKey} />}>
          <Text fw={600}>Create an API key</Text>
          {!hasKey &&
            (canCreate ? (
              <Button mt={4} size="xs" renderRoot={(props) => <Link to="/keys/create" {...props} />}>
                Create API key
              </Button>
            ) : (
              <Text>An owner or developer of the account creates keys.</Text>
            ))}
        </List.Item>
        <List.Item icon={<StepIcon isDone={false} />}>
          <Text fw={600}>Read the documentation</Text>
          <Text>
            The{' '}
            <Anchor href="/docs" underline="always">
              REST API reference
            </Anchor>{' '}
            and the{' '}
            <Anchor href="/graphql" underline="always">
              GraphQL explorer
            </Anchor>{' '}
            describe all operations.
          </Text>
        </List.Item>
        <List.Item icon={<StepIcon isDone={false} />} styles={{ itemLabel: { width: '100%' }, itemWrapper: { width: '100%' } }}>
          <Text fw={600} mb={4}>
            Send the first request
          </Text>
          <Copyable label="curl command" text={`curl -H "x-api-key: YOUR_KEY" ${window.location.origin}/api/v1/me`} />
        </List.Item>
      </List>
    </Section>
  );
}
