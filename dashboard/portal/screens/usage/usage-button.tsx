/** The next step of an account without statements: the usage of the current month. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export const UsageButton = () => (
  <Button variant="default" size="xs" renderRoot={(props) => <Link to="/usage" {...props} />}>
    Open usage and limits
  </Button>
);
