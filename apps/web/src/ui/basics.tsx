import {
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  type ButtonProps,
  CloseButton,
  createPolymorphicComponent,
  ActionIcon as LibraryActionIcon,
  Button as LibraryButton,
  Text,
} from '@mantine/core';
import type { ComponentProps, ComponentType, ElementType, ReactNode, SyntheticEvent } from 'react';
import { Link } from 'react-router';
import { formatExactTime, formatMoment, formatRelativeTime } from '../lib/intl.ts';
import { useNow } from './hooks.ts';
import { useTabStop } from './table/tab-stops.tsx';

type BusyProps = {
  /** Shows a spinner next to the label. */
  busy?: boolean;
};
type Icon = ComponentType<{ size: number; stroke: number | undefined; 'aria-hidden': true }>;
type IconProps = { iconSize?: number; iconStroke?: number };
type ButtonLook = ButtonProps & BusyProps & IconProps & { icon?: Icon };
type OffProps = BusyProps & { loading?: boolean; disabled?: boolean };

const ignore = (event: SyntheticEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

/** A loading button without `disabled`. Mantine would set this attribute, and the button would lose the focus. */
const keptElement = ({ disabled: _, ...props }: ComponentProps<'button'>) => <button {...props} />;

/**
 * Wraps a control so that it keeps the focus while it loads or is disabled: the control then ignores clicks, but has
 * no attribute `disabled`. Tab skips a disabled control. `aria-busy` marks each control that can load, for tests.
 */
const keepsFocus = (Control: ElementType) =>
  function KeepingFocus({ loading, busy = loading, disabled, ...props }: OffProps & Record<string, unknown>) {
    const stop = useTabStop();
    if (!busy && !disabled) return <Control aria-busy={busy} loading={loading} {...stop} {...props} />;
    return (
      <Control
        {...(busy && stop)}
        {...props}
        {...(loading ? { loading, renderRoot: keptElement } : { 'data-disabled': true })}
        {...(!busy && { tabIndex: -1 })}
        aria-busy={busy}
        aria-disabled
        onClick={ignore}
      />
    );
  };

const KeepingButton = keepsFocus(LibraryButton);

export const Button = createPolymorphicComponent<'button', ButtonLook>(
  ({ icon: Icon, iconSize = 16, iconStroke, ...props }: ButtonLook) => (
    <KeepingButton
      {...(Icon && { leftSection: <Icon size={iconSize} stroke={iconStroke} aria-hidden /> })}
      {...props}
    />
  ),
);

export const ActionIcon = createPolymorphicComponent<'button', ActionIconProps & BusyProps>(
  keepsFocus(LibraryActionIcon),
);

type IconButtonProps = ActionIconProps & BusyProps & IconProps & { icon: Icon; label: string };

export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ icon: Icon, iconSize = 16, iconStroke, label, ...props }: IconButtonProps) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <Icon size={iconSize} stroke={iconStroke} aria-hidden />
    </ActionIcon>
  ),
);

const withLook = (look: Pick<ButtonProps, 'variant' | 'size'>) =>
  createPolymorphicComponent<'button', ButtonLook>((props: ButtonLook) => <Button {...look} {...props} />);

export const PlainButton = withLook({ variant: 'default' });
/** A button in a line of a list. */
export const SmallButton = withLook({ variant: 'default', size: 'compact-sm' });

export const SubtleButton = withLook({ variant: 'subtle' });
/** A button in a line of text. */
export const TextButton = withLook({ variant: 'subtle', size: 'compact-sm' });

/** A button that clears a filter or a selection. In a toolbar, arrow keys reach it. */
export const ClearButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <CloseButton
    {...useTabStop()}
    variant="default"
    size={28}
    aria-label={label}
    title={label}
    onClick={onClick}
  />
);

/** A button without a style of its own. In a table, toolbar or list, arrow keys reach it. */
export const TabStopButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...useTabStop()} {...props} />
);

type PressedButtonProps = Omit<ButtonLook, 'variant'> & {
  isPressed: boolean;
  onClick: () => void;
  count?: string;
};

/** A button for one of several answers or filters. */
export const ToggleButton = ({ isPressed, count, ...button }: PressedButtonProps) => (
  <Button
    variant={isPressed ? 'filled' : 'default'}
    aria-pressed={isPressed}
    rightSection={count !== undefined && <span className="numbers">{count}</span>}
    {...button}
  />
);

export const BodyText = Text.withProps({ size: 'sm' });

export const QuietText = Text.withProps({ size: 'sm', c: 'dimmed' });

export const SmallText = Text.withProps({ size: 'xs', c: 'dimmed' });

type PageLinkProps = AnchorProps & { to: string; children: ReactNode; dir?: 'auto'; title?: string };

export const PageLink = (props: PageLinkProps) => (
  <Anchor component={Link} underline="always" {...useTabStop()} {...props} />
);

export const DownloadLink = (props: AnchorProps & ComponentProps<'a'>) => (
  <Anchor download size="sm" underline="always" {...props} />
);

/** A link whose text is cut with an ellipsis. If `to` is null, the text is no link. */
export function EllipsisLink({ to, children }: { to: string | null; children: string }) {
  const look = { className: 'ellipsis block', title: children, dir: 'auto' } as const;
  if (to === null) return <span {...look}>{children}</span>;
  return (
    <PageLink to={to} inherit underline="hover" {...look}>
      {children}
    </PageLink>
  );
}

/** A link that opens a new tab. */
export const NewTabLink = (props: AnchorProps & ComponentProps<'a'>) => (
  <Anchor target="_blank" rel="noreferrer" {...useTabStop()} {...props} />
);

/** A time like '2 minutes ago', with the exact time on hover. */
export function RelativeTime({ time }: { time: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {formatRelativeTime(time, nowMs)}
    </time>
  );
}

/** A clock time, with its date if that is not today, and with the exact time on hover. */
export const ClockTime = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatExactTime(time)}>
    {formatMoment(time, Date.now())}
  </time>
);

/** A file's name that is cut before its end. The parent element must be a flex container. */
export function EllipsisName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  return (
    <>
      <span className="cut">{start}</span>
      <span className="rigid">{end}</span>
    </>
  );
}

/** Right-to-left names are not split, because their two parts would be shown in the wrong order. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The end of a name. It is never cut, because it distinguishes 'lamps-1.csv' from 'lamps-2.csv'. */
const keptEnd = /[!-~]{0,9}$/;

/** Splits a name before its ASCII end, because a split within a combined character would change the character. */
export function splitName(filename: string): { start: string; end: string } {
  if (rightToLeft.test(filename)) return { start: filename, end: '' };
  const end = keptEnd.exec(filename)?.[0] ?? '';
  return { start: filename.slice(0, filename.length - end.length), end };
}
