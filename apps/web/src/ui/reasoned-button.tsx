import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler, Ref } from 'react';
import { tooltipDelayMs } from './help-tip.tsx';

type ReasonedButtonProps = ButtonProps & {
  /** Why the action is not allowed now; null when it is. */
  reason: string | null;
  onClick: MouseEventHandler<HTMLButtonElement>;
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that, while it is disabled, says why on hover and on focus. */
export function ReasonedButton({ reason, ...button }: ReasonedButtonProps) {
  if (reason === null) return <Button {...button} />;
  return (
    <Tooltip
      label={reason}
      openDelay={tooltipDelayMs}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a disabled button takes no focus, and its reason must be reachable by keyboard */}
      <span tabIndex={0}>
        <Button {...button} disabled />
      </span>
    </Tooltip>
  );
}
