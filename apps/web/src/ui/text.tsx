import { Anchor, type AnchorProps, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { formatExact, formatMoment, formatRelative } from '../lib/intl.ts';
import { useNow } from './hooks.ts';

export const BodyText = Text.withProps({ size: 'sm' });

export const QuietText = Text.withProps({ size: 'sm', c: 'dimmed' });

export const SmallText = Text.withProps({ size: 'xs', c: 'dimmed' });

export const PageLink = (props: AnchorProps & { to: string; children: ReactNode; dir?: 'auto' }) => (
  <Anchor component={Link} underline="always" {...props} />
);

/** Opens in a new tab. */
export const OutsideLink = (props: AnchorProps & ComponentProps<'a'>) => (
  <Anchor target="_blank" rel="noreferrer" {...props} />
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
