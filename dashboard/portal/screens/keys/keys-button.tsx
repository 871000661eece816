/** The next step of screens that are empty without requests: the API keys. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export const KeysButton = () => (
  <Button variant="default" size="xs" renderRoot={(props) => <Link to="/keys" {...props} />}>
    Open API keys
  </Button>
);
