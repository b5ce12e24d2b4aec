import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export function PageLink({ path, children }: { path: string; children: string }) {
  return (
    <Anchor component={Link} to={path} underline="always">
      {children}
    </Anchor>
  );
}
