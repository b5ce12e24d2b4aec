import { Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { searchFieldSelector } from '../ui/search-field.ts';
import { type KeyState, readShortcut } from './keys.ts';
import { navigation } from './navigation.ts';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** Listens for the keys of the whole application and shows their list. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [listed, setListed] = useState(false);
  const state = useRef<KeyState>({ goSinceMs: null });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const { state: next, command } = readShortcut(state.current, event.key, event.timeStamp);
      state.current = next;
      if (command === null) return;
      event.preventDefault();
      if (command.kind === 'go') navigate(command.path);
      if (command.kind === 'list') setListed(true);
      if (command.kind === 'search') document.querySelector<HTMLElement>(searchFieldSelector)?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
  return (
    <Modal opened={listed} onClose={() => setListed(false)} title="Keys">
      <Stack gap="sm">
        <Table withRowBorders={false}>
          <Table.Tbody>
            <KeyRow keys={['/']} does="Search on this screen" />
            <KeyRow keys={['?']} does="Show this list" />
            <KeyRow keys={['F8']} does="Go to the notification" />
            <KeyRow keys={['Esc']} does="Close a dialog, or leave an edit" />
            {navigation.map((item) => (
              <KeyRow key={item.path} keys={['g', item.key]} does={`Go to ${item.label}`} />
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          Letters are pressed one after the other.
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
