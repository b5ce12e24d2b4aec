import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IssueChips, type IssuesProps } from './issue-chips.tsx';
import classes from './rows.module.css';

type IssueDrawerProps = IssuesProps & { opened: boolean; onClose: () => void };

/** The issues on phones. Choosing one closes the drawer. */
export function IssueDrawer({ opened, onClose, ...issues }: IssueDrawerProps) {
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
      <div className={classes.drawerChips}>
        <IssueChips
          {...issues}
          onIssue={(name) => {
            onClose();
            issues.onIssue(name);
          }}
        />
      </div>
    </Drawer>
  );
}
