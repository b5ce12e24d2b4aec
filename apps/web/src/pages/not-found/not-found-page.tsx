import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

export function Component() {
  return (
    <Stack gap="xs">
      <title>404 Page Not Found · Draftshelf</title>
      <Title order={1}>404 Page Not Found</Title>
      <Text>Did you forget to add the page to the router?</Text>
      <Anchor component={Link} to="/">
        Go to the Dashboard
      </Anchor>
    </Stack>
  );
}
