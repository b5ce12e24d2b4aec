import {
  type ActionIconProps,
  type ButtonProps,
  createPolymorphicComponent,
  ActionIcon as LibraryActionIcon,
  Button as LibraryButton,
} from '@mantine/core';
import type { ComponentProps, ComponentType, ElementType, SyntheticEvent } from 'react';

type BusyProps = {
  /** Like `loading`, but the label stays visible. */
  busy?: boolean;
};
type OffProps = BusyProps & { loading?: boolean; disabled?: boolean };

const ignore = (event: SyntheticEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

/** The library would disable a loading button, which would lose the focus. */
const keptElement = ({ disabled: _, ...props }: ComponentProps<'button'>) => <button {...props} />;

/**
 * Keeps the focus while it loads or is disabled: it ignores clicks instead of having the attribute `disabled`. Tab
 * skips a disabled one. `aria-busy` is on every control that can load, so that tests find them.
 */
const keepsFocus = (Control: ElementType) =>
  function KeepingFocus({ loading, busy = loading, disabled, ...props }: OffProps & Record<string, unknown>) {
    if (!busy && !disabled) return <Control aria-busy={busy} loading={loading} {...props} />;
    return (
      <Control
        {...props}
        {...(loading ? { loading, renderRoot: keptElement } : { 'data-disabled': true })}
        {...(!busy && { tabIndex: -1 })}
        aria-busy={busy}
        aria-disabled
        onClick={ignore}
      />
    );
  };

export const Button = createPolymorphicComponent<'button', ButtonProps & BusyProps>(
  keepsFocus(LibraryButton),
);

export const ActionIcon = createPolymorphicComponent<'button', ActionIconProps & BusyProps>(
  keepsFocus(LibraryActionIcon),
);

type IconButtonProps = ActionIconProps &
  BusyProps & {
    icon: ComponentType<{ size: number; stroke: number | undefined; 'aria-hidden': true }>;
    iconSize?: number;
    iconStroke?: number;
    label: string;
  };

export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ icon: Icon, iconSize = 16, iconStroke, label, ...props }: IconButtonProps) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <Icon size={iconSize} stroke={iconStroke} aria-hidden />
    </ActionIcon>
  ),
);

const withLook = (look: Pick<ButtonProps, 'variant' | 'size'>) =>
  createPolymorphicComponent<'button', ButtonProps & BusyProps>((props: ButtonProps) => (
    <Button {...look} {...props} />
  ));

export const PlainButton = withLook({ variant: 'default' });
/** In a line of a list. */
export const SmallButton = withLook({ variant: 'default', size: 'compact-sm' });

export const SubtleButton = withLook({ variant: 'subtle' });
/** In a line of text. */
export const TextButton = withLook({ variant: 'subtle', size: 'compact-sm' });
