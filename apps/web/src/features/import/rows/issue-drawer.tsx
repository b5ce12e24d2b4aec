import { SideDrawer } from '../../../ui/side-drawer.tsx';
import { IssueBars, type IssueBarsProps } from './issue-bars.tsx';

type IssueDrawerProps = IssueBarsProps & { opened: boolean; onClose: () => void };

/** All issues of an import. Choosing one closes the drawer. On a phone the rows stay in sight. */
export function IssueDrawer({ opened, onClose, onIssue, ...issues }: IssueDrawerProps) {
  return (
    <SideDrawer title="Issues" width={360} narrowHeight="60dvh" opened={opened} onClose={onClose}>
      <IssueBars
        {...issues}
        onIssue={(name) => {
          onClose();
          onIssue(name);
        }}
      />
    </SideDrawer>
  );
}
