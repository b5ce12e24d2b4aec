import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNarrow } from './hooks/use-narrow.ts';

type SideDrawerProps = {
  opened: boolean;
  title: string;
  /** The width in pixels. */
  width: number;
  /** On a phone it is as high as what it shows, up to this. */
  narrowHeight: string;
  onClose: () => void;
  children: ReactNode;
};

/** A drawer beside the rows or, on a phone, below them, within an `overlay`. Nothing in it can be lost. */
export function SideDrawer({ width, narrowHeight, children, ...props }: SideDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      {...props}
      position={narrow ? 'bottom' : 'right'}
      size={width}
      // As high as its content: Mantine knows no such size.
      {...(narrow && { styles: { content: { height: 'auto', maxHeight: narrowHeight } } })}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Drawer>
  );
}
