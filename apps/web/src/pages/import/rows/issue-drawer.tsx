import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';

type IssueDrawerProps = { opened: boolean; onClose: () => void; children: ReactNode };

/** The issues on phones. */
export function IssueDrawer({ opened, onClose, children }: IssueDrawerProps) {
  // Mantine returns the focus only to what had it when `opened` changed.
  const ready = useMounted();
  return (
    <Drawer
      opened={opened && ready}
      onClose={onClose}
      position="bottom"
      size="auto"
      title="Issues"
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Drawer>
  );
}
