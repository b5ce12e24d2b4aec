import type { ButtonProps } from '@mantine/core';
import type { MouseEventHandler, Ref } from 'react';
import { Button } from './button.tsx';
import { Hint } from './hint.tsx';

type ReasonedButtonProps = Omit<ButtonProps, 'loading'> & {
  loading?: boolean | undefined;
  /** Reason for a disabled button; null if it is enabled. */
  reason: string | null;
  onClick: MouseEventHandler<HTMLButtonElement>;
  id?: string;
  'aria-label'?: string;
  /** Read after the name. */
  description?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows on hover and focus why it is disabled. It keeps the focus when it becomes disabled. */
export function ReasonedButton({ reason, description, onClick, ...button }: ReasonedButtonProps) {
  const isBlocked = reason !== null;
  return (
    <Hint text={reason}>
      <Button
        {...button}
        aria-description={description}
        aria-disabled={isBlocked || undefined}
        data-disabled={isBlocked || undefined}
        onClick={isBlocked ? (event) => event.preventDefault() : onClick}
      />
    </Hint>
  );
}
