import { Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { ReasonedButton } from './reasoned-button.tsx';

type DialogEndProps = ComponentProps<typeof ReasonedButton> & { onCancel: () => void };

export function DialogEnd({ onCancel, ...action }: DialogEndProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <ReasonedButton {...action} />
    </Group>
  );
}
