import { Group, Text } from '@mantine/core';

export const brandName = 'Draftshelf';

export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/icon.svg" alt="" width={24} height={24} />
      <Text fw={650} size="lg">
        {brandName}
      </Text>
    </Group>
  );
}
