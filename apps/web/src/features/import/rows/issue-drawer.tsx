import { Drawer } from '@mantine/core';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { IssueBars, type IssueBarsProps } from './issue-bars.tsx';

type IssueDrawerProps = IssueBarsProps & { opened: boolean; onClose: () => void };

/** All issues of an import. Choosing one closes the drawer. */
export function IssueDrawer({ opened, onClose, onIssue, ...issues }: IssueDrawerProps) {
  const narrow = useNarrow();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={narrow ? 'bottom' : 'right'}
      size={360}
      // On a phone as high as the issues, so that the rows stay in sight: Mantine knows no such size.
      {...(narrow && { styles: { content: { height: 'auto', maxHeight: '60dvh' } } })}
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
