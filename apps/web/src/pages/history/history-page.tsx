import { PageLink, PlaceholderPage } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <PlaceholderPage title="History">
      Coming soon. For now, the <PageLink path="/queue">Processing Queue</PageLink> also shows finished
      imports.
    </PlaceholderPage>
  );
}
