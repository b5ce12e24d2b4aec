import { Center, Loader, Stack, Text } from '@mantine/core';

/** Fills the window while there is no shell: on the first load and while signing in or out. */
export function Waiting() {
  return (
    <Center mih="100dvh" p="md">
      <Stack align="center" gap="sm" role="status">
        <Loader aria-hidden />
        <Text>Loading...</Text>
      </Stack>
    </Center>
  );
}
