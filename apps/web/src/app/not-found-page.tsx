import { PageLink } from '../ui/basics.tsx';
import { EmptyState } from '../ui/brand.tsx';
import { PageHeader } from '../ui/page-header.tsx';

export const Component = () => (
  <>
    <title>404 Page Not Found · Draftshelf</title>
    <PageHeader title="404 Page Not Found" />
    <EmptyState>
      <p>Did you forget to add the page to the router?</p>
      <PageLink to="/">Go to the Dashboard</PageLink>
    </EmptyState>
  </>
);
