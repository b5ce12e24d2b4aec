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
import { formatExact, formatMoment, formatRelative } from '../lib/intl.ts';
import { useNow } from './hooks.ts';
import { useTabStop } from './table/tab-stops.tsx';

type BusyProps = {
  /** Like `loading`, but the label stays visible. */
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

/** The library would disable a loading button, which would lose the focus. */
const keptElement = ({ disabled: _, ...props }: ComponentProps<'button'>) => <button {...props} />;

/**
 * Keeps the focus while it loads or is disabled: it ignores clicks instead of having the attribute `disabled`. Tab
 * skips a disabled one. `aria-busy` is on every control that can load, so that tests find them.
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
/** In a line of a list. */
export const SmallButton = withLook({ variant: 'default', size: 'compact-sm' });

export const SubtleButton = withLook({ variant: 'subtle' });
/** In a line of text. */
export const TextButton = withLook({ variant: 'subtle', size: 'compact-sm' });

/** Ends a filter or a selection. The cursor of the toolbar around it can stand on it. */
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

/** Without a look. The cursor of the table, toolbar or list around it can stand on it. */
export const StopButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...useTabStop()} {...props} />
);

type PressedButtonProps = Omit<ButtonLook, 'variant'> & {
  isPressed: boolean;
  onClick: () => void;
  count?: string;
};

/** One of several answers or filters. */
export const PressedButton = ({ isPressed, count, ...button }: PressedButtonProps) => (
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

/** Cut with an ellipsis. `to` null: no link. */
export function CutLink({ to, children }: { to: string | null; children: string }) {
  const look = { className: 'ellipsis block', title: children, dir: 'auto' } as const;
  if (to === null) return <span {...look}>{children}</span>;
  return (
    <PageLink to={to} inherit underline="hover" {...look}>
      {children}
    </PageLink>
  );
}

/** Opens in a new tab. */
export const OutsideLink = (props: AnchorProps & ComponentProps<'a'>) => (
  <Anchor target="_blank" rel="noreferrer" {...useTabStop()} {...props} />
);

/** With the exact time on hover. */
export function RelativeTime({ time }: { time: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatRelative(time, nowMs)}
    </time>
  );
}

/** With the date if it is not today, and the exact time on hover. */
export const Moment = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatExact(time)}>
    {formatMoment(time, Date.now())}
  </time>
);

/** Keeps the end of a file's name in sight. The element around it is a flex line. */
export function CutName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  return (
    <>
      <span className="cut">{start}</span>
      <span className="rigid">{end}</span>
    </>
  );
}

/** Two parts of a right-to-left name would be shown in the wrong order. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Never cut: the end tells 'lamps-1.csv' from 'lamps-2.csv'. */
const keptEnd = /[!-~]{0,9}$/;

/** A cut within a combined character would change it, so the end is ASCII. A right-to-left name stays whole. */
export function splitName(filename: string): { start: string; end: string } {
  if (rightToLeft.test(filename)) return { start: filename, end: '' };
  const end = keptEnd.exec(filename)?.[0] ?? '';
  return { start: filename.slice(0, filename.length - end.length), end };
}
