import { HelpTip } from '../../components/help/help-tip.tsx';
import { PageLink, PlaceholderPage } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <PlaceholderPage title="Shopify Integration" subtitle="Manage your store connection and product uploads">
      Coming soon, with inventory sync <HelpTip topic="inventory sync" />. For now, test the connection in{' '}
      <PageLink path="/settings?tab=connections">Settings</PageLink>.
    </PlaceholderPage>
  );
}
