import { useDebouncedValue } from '@mantine/hooks';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { libraryRead, type ShownScanned, useLibrary } from '../../api/scanner.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { Library } from './library.tsx';
import { addressOf, filtersOf, type LibraryFilters, type Opened, openedOf } from './scanner-address.ts';
import { useCardActions } from './use-card-actions.ts';

const FormPage = lazily(() => import('./form/form-page.tsx').then((chunk) => chunk.FormPage));

export const loader = loaderOf(({ request }) => [
  libraryRead(filtersOf(new URL(request.url).searchParams).search.trim()),
]);

/** A search starts when the operator has stopped typing for this time. */
const typedMs = 150;

/** What the form's entry in the browser's history holds. */
type FormState = { isFromLibrary?: boolean } | null;

export function Component() {
  const [address, setAddress] = useSearchParams();
  const filters = filtersOf(address);
  const opened = openedOf(address);
  const [search] = useDebouncedValue(filters.search.trim(), typedMs);
  const library = useLibrary(search);
  const actions = useCardActions();
  const navigate = useNavigate();
  const state = useLocation().state as FormState;
  const [returnTo, setReturnTo] = useState<string | null>(null);
  const open = (what: Opened) => {
    setReturnTo(null);
    navigate(
      { search: `?${addressOf(filters, what)}` },
      { state: { isFromLibrary: true } satisfies FormState },
    );
  };
  const close = () => {
    // The form's entry goes, so that Back leaves the screen.
    if (state?.isFromLibrary) navigate(-1);
    else setAddress(addressOf(filters), { replace: true });
  };
  if (opened !== null) {
    const id = opened.kind === 'product' ? opened.id : null;
    return (
      <Suspense fallback={null}>
        <FormPage
          key={id ?? 'new'}
          id={id}
          listed={id === null ? null : listedOf(library.data?.pages, id)}
          onSaved={(saved) => {
            setReturnTo(saved);
            close();
          }}
          onCancel={() => {
            setReturnTo(id ?? '');
            close();
          }}
        />
      </Suspense>
    );
  }
  return (
    <Library
      library={library}
      filters={filters}
      actions={actions}
      returnTo={returnTo}
      onFilter={(changed: LibraryFilters) => setAddress(addressOf(changed), { replace: true })}
      onOpen={({ id }) => open({ kind: 'product', id })}
      onNew={() => open({ kind: 'new' })}
    />
  );
}

function listedOf(
  pages: readonly { products: readonly ShownScanned[] }[] | undefined,
  id: string,
): ShownScanned | null {
  return pages?.flatMap(({ products }) => products).find((one) => one.id === id) ?? null;
}
