import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHeader } from './page-header.tsx';

type PlaceholderPageProps = { title: string; subtitle?: string; children: ReactNode };

/** A screen that does not exist yet: its title, and where to go for now. */
export function PlaceholderPage({ title, subtitle, children }: PlaceholderPageProps) {
  return (
    <>
      <title>{`${title} · Draftshelf`}</title>
      <PageHeader title={title} subtitle={subtitle} />
      <Text mt="md" maw="var(--form-width-max)">
        {children}
      </Text>
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
