import { Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { navigation } from './navigation.ts';

/** The list of keyboard shortcuts. */
export function KeyList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // A modal that mounts open cannot return the focus when it closes.
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return (
    <Modal opened={shown} onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="sm">
        <Table withRowBorders={false}>
          <Table.Tbody>
            <KeyRow keys={['/']} does="Search this page" />
            <KeyRow keys={['?']} does="Show shortcuts" />
            <KeyRow keys={['F8']} does="Focus notification" />
            <KeyRow keys={['Esc']} does="Close dialog or cancel edit" />
            {navigation.map((item) => (
              <KeyRow key={item.path} keys={['g', item.key]} does={`Go to ${item.label}`} />
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          Press the keys one after the other.
        </Text>
      </Stack>
    </Modal>
  );
}

function KeyRow({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <Table.Tr>
      <Table.Td w={90}>
        <Group gap={4}>
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  );
}
