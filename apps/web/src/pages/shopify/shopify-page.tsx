import { HelpTip } from '../../components/help/help-tip.tsx';
import { LaterPage, To } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <LaterPage title="Shopify Integration" subtitle="Manage your store connection and product uploads">
      This screen is not built yet: it will hold the store's overview, its products, the inventory sync{' '}
      <HelpTip topic="inventory sync" /> and the batch push; until then each import is pushed from the{' '}
      <To path="/queue">Processing Queue</To>, and the connection is tested under{' '}
      <To path="/settings?tab=connections">Settings</To>.
    </LaterPage>
  );
}
