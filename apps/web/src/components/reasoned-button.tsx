import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler, Ref } from 'react';
import { tooltipDelayMs } from './help/help-tip.tsx';

type ReasonedButtonProps = ButtonProps & {
  /** Why the action is not allowed now; null when it is. */
  reason: string | null;
  onClick: MouseEventHandler<HTMLButtonElement>;
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that says on hover and on focus why it does nothing now; it keeps the focus when it comes to that. */
export function ReasonedButton({ reason, onClick, ...button }: ReasonedButtonProps) {
  const isBlocked = reason !== null;
  return (
    <Tooltip
      label={reason}
      disabled={!isBlocked}
      openDelay={tooltipDelayMs}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      <Button
        {...button}
        aria-disabled={isBlocked || undefined}
        data-disabled={isBlocked || undefined}
        onClick={isBlocked ? (event) => event.preventDefault() : onClick}
      />
    </Tooltip>
  );
}
