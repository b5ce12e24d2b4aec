import { PageLink, PlaceholderPage } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <PlaceholderPage
      title="Product Scanner"
      subtitle="Scan, create, and manage products with photos, dimensions, and pricing"
    >
      Coming soon. For now, <PageLink path="/upload">upload a CSV</PageLink> to add products.
    </PlaceholderPage>
  );
}
