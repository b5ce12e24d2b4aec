import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

/** Words in one line, which are cut where they find no room. `to`: where they lead; null: nowhere. */
export function CutLink({ to, children }: { to: string | null; children: string }) {
  const look = { className: `ellipsis block`, title: children, dir: 'auto' };
  return to === null ? (
    <span {...look}>{children}</span>
  ) : (
    <Anchor component={Link} to={to} inherit {...look}>
      {children}
    </Anchor>
  );
}
