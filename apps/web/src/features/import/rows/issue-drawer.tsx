import { Drawer } from '@mantine/core';
import { IssueBars, type IssueBarsProps } from './issue-bars.tsx';

type IssueDrawerProps = IssueBarsProps & { opened: boolean; onClose: () => void };

/** The issues on phones. Choosing one closes the drawer. */
export function IssueDrawer({ opened, onClose, onIssue, ...issues }: IssueDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      // As high as the issues, so that the rows stay in sight: Mantine knows no such size.
      styles={{ content: { height: 'auto', maxHeight: '60dvh' } }}
      title="Issues"
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      <IssueBars
        {...issues}
        onIssue={(name) => {
          onClose();
          onIssue(name);
        }}
      />
    </Drawer>
  );
}
