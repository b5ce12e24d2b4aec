import { Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { PlainButton } from './button.tsx';
import { ReasonedButton } from './reasoned-button.tsx';

type DialogEndProps = ComponentProps<typeof ReasonedButton> & { onCancel: () => void };

export function DialogEnd({ onCancel, ...action }: DialogEndProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <PlainButton onClick={onCancel}>Cancel</PlainButton>
      <ReasonedButton {...action} />
    </Group>
  );
}
