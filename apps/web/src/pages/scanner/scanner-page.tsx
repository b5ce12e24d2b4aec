import { LaterPage, To } from '../../components/placeholder-page.tsx';

export function Component() {
  return (
    <LaterPage
      title="Product Scanner"
      subtitle="Scan, create, and manage products with photos, dimensions, and pricing"
    >
      This screen is not built yet: it will hold the library of scanned products; until then products come
      from a file that you <To path="/upload">upload</To>.
    </LaterPage>
  );
}
