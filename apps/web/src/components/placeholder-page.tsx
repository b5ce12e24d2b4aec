import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';

type PlaceholderPageProps = { title: string; subtitle?: string; children: ReactNode };

/** A screen that does not exist yet: its title, and where to go for now. */
export function PlaceholderPage({ title, subtitle, children }: PlaceholderPageProps) {
  return (
    <>
      <title>{`${title} · Draftshelf`}</title>
      <PageHeader title={title} subtitle={subtitle} />
      <EmptyState>{children}</EmptyState>
    </>
  );
}

export function PageLink({ path, children }: { path: string; children: string }) {
  return (
    <Anchor component={Link} to={path} underline="always">
      {children}
    </Anchor>
  );
}
