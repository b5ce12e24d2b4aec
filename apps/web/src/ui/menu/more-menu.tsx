import type { ActionIconProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentPropsWithRef, Suspense, useState } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import { ActionIcon } from '../button.tsx';
import type { OpenedMenuProps } from './opened-menu.tsx';

const OpenedMenu = lazily(() => import('./opened-menu.tsx').then((chunk) => chunk.OpenedMenu));

/** A menu below a button, which loads at the first click. */
export function LaterMenu(props: OpenedMenuProps) {
  const [wanted, setWanted] = useState(false);
  const placeholder = props.button({ onClick: () => setWanted(true) });
  if (!wanted) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <OpenedMenu {...props} />
    </Suspense>
  );
}

type MoreMenuProps = Omit<OpenedMenuProps, 'button'> & {
  /** The button's name. */
  label: string;
  title?: string;
} & Pick<ActionIconProps, 'variant' | 'color' | 'size'> & { className: string | undefined };

/** A button with a menu of further actions. */
export function MoreMenu({ items, name, label, ...look }: MoreMenuProps) {
  const button = (props: ComponentPropsWithRef<'button'>) => (
    <ActionIcon aria-haspopup="menu" {...props} {...look} aria-label={label}>
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  );
  return <LaterMenu name={name} button={button} items={items} />;
}
