import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../../components/page-link.tsx';

export function Component() {
  return (
    <>
      <title>404 Page Not Found · Draftshelf</title>
      <PageHeader title="404 Page Not Found" />
      <EmptyState>
        <p>Did you forget to add the page to the router?</p>
        <PageLink path="/">Go to the Dashboard</PageLink>
      </EmptyState>
    </>
  );
}
