/** The sign-in page of the portal. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SignIn as SharedSignIn } from '../../session/sign-in.tsx';

export const SignIn = () => (
  <SharedSignIn contact="an owner of your account">
    {({ registration }) =>
      registration === true ? (
        <Text>
          No account yet?{' '}
          <Anchor component={Link} to="/register" underline="always">
            Create an account
          </Anchor>
        </Text>
      ) : (
        <Text c="dimmed" size="sm">
          You need an invitation from an owner of your account, or from the operator.
        </Text>
      )
    }
  </SharedSignIn>
);
