import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type ConfirmProps = {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** What the button does, in its words. */
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before what cannot be taken back. */
export function Confirm({ opened, title, children, confirm, onConfirm, onClose }: ConfirmProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      attributes={{ header: { role: 'presentation' }, content: { role: 'alertdialog' } }}
    >
      <Stack gap="md">
        <Text component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color="red"
            onClick={() => {
              onConfirm();
              onClose();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
