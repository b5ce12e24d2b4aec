import { PageLink, PlaceholderPage } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <PlaceholderPage title="Dashboard">
      Coming soon. For now, the <PageLink path="/queue">Processing Queue</PageLink> shows all imports.
    </PlaceholderPage>
  );
}
