import type { ButtonProps } from '@mantine/core';
import type { MouseEventHandler, Ref } from 'react';
import { type Hotkey, shownKey } from './actions.ts';
import { Button } from './button.tsx';
import { Hint } from './hint.tsx';

type ReasonedButtonProps = Omit<ButtonProps, 'loading'> & {
  loading?: boolean | undefined;
  /** Null: enabled. */
  reason: string | null;
  /** For an enabled button. */
  hint?: string;
  /** The key that does the same. */
  hotkey?: Hotkey | null;
  onClick: MouseEventHandler<HTMLButtonElement>;
  id?: string;
  'aria-label'?: string;
  /** Read after the name. */
  description?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/** Explains on hover and focus why it is disabled, else its effect or key. It keeps the focus. */
export function ReasonedButton({
  reason,
  hint,
  description,
  onClick,
  hotkey = null,
  ...button
}: ReasonedButtonProps) {
  const isBlocked = reason !== null;
  return (
    <Hint text={reason ?? hint ?? (hotkey && `${hotkey.does} ${shownKey(hotkey.key)}`)}>
      <Button
        {...button}
        aria-description={description}
        aria-keyshortcuts={hotkey === null ? undefined : `Shift+${hotkey.key}`}
        aria-disabled={isBlocked || undefined}
        data-disabled={isBlocked || undefined}
        onClick={isBlocked ? (event) => event.preventDefault() : onClick}
      />
    </Hint>
  );
}
