import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { addressNow } from '../../lib/paths.ts';
import { FormPage } from './form/form-page.tsx';
import { Library } from './library.tsx';
import { type NewCode, prepareSound, type ScanMode, Scanning } from './scan/scanning.tsx';
import { addressOf, filtersOf, type LibraryFilters, type Opened, openedOf } from './scanner-address.ts';
import { libraryRead, type ShownScanned, useLibrary } from './scanner-api.ts';
import { useCardActions } from './use-card-actions.ts';

/** A search waits for this pause in typing. */
const typedMs = 150;

/** More than most screens show. A card takes more than a millisecond to draw, and a library has thousands. */
const drawnFirst = 36;
const drawnMore = 60;

export function Component() {
  const [address, setAddress] = useSearchParams();
  const filters = filtersOf(address);
  const [search] = useDebouncedValue(filters.search.trim(), typedMs);
  const library = useLibrary(search);
  const actions = useCardActions();
  const form = useFormInAddress();
  const [mode, setMode] = useState<ScanMode>('closed');
  const [drawnCount, setDrawnCount] = useState(drawnFirst);
  const drawMore = useCallback(() => setDrawnCount((count) => count + drawnMore), []);
  const { openForm, id } = form;
  const scan = (to: 'one' | 'many') => {
    prepareSound();
    setMode(to);
  };
  const filter = (changed: Partial<LibraryFilters>) =>
    setAddress(addressOf({ ...filtersOf(addressNow()), ...changed }), { replace: true });
  return (
    <>
      <Scanning mode={mode} onMode={setMode} onKnown={form.openKnown} onNew={form.openScanned} />
      {openForm === null ? (
        <Library
          library={library}
          filters={filters}
          actions={actions}
          returnTo={form.returnTo}
          drawnCount={drawnCount}
          onDrawMore={drawMore}
          onFilter={filter}
          onOpen={form.openListed}
          onNew={form.openNew}
          onScan={scan}
        />
      ) : (
        <FormPage
          key={id ?? 'new'}
          id={id}
          listedProduct={form.knownProduct ?? listedOf(library.data?.pages, id)}
          newCode={form.newCode}
          onScan={() => scan('one')}
          onSaved={form.close}
          onCancel={() => form.close(id ?? '')}
        />
      )}
    </>
  );
}

Component.loader = loaderOf(({ request }) => [
  libraryRead(filtersOf(new URL(request.url).searchParams).search.trim()),
]);

type FormState = { isFromLibrary?: boolean } | null;

function useFormInAddress() {
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const state = useLocation().state as FormState;
  const openForm = openedOf(address);
  const id = openForm?.kind === 'product' ? openForm.id : null;
  const [returnTo, setReturnTo] = useState<string | null>(null);
  const [newCode, setNewCode] = useState<NewCode | null>(null);
  const [knownProduct, setKnownProduct] = useKnownProduct(id);
  // A form that a scan replaces is no step of the way back.
  const replace = openForm !== null;
  const isFromLibrary = openForm === null || state?.isFromLibrary === true;
  const open = useCallback(
    (form: Opened, code: NewCode | null = null) => {
      setNewCode(code);
      setReturnTo(null);
      const entry: FormState = { isFromLibrary };
      navigate({ search: `?${addressOf(filtersOf(addressNow()), form)}` }, { state: entry, replace });
    },
    [navigate, replace, isFromLibrary],
  );
  return {
    openForm,
    id,
    returnTo,
    newCode,
    knownProduct,
    openNew: () => open({ kind: 'new' }),
    openListed: useCallback(({ id }: ShownScanned) => open({ kind: 'product', id }), [open]),
    openKnown(product: ShownScanned) {
      setKnownProduct(product);
      open({ kind: 'product', id: product.id });
    },
    openScanned: (code: NewCode) => (openForm === null ? open({ kind: 'new' }, code) : setNewCode(code)),
    close(closedId: string) {
      setNewCode(null);
      setReturnTo(closedId);
      // Removes the form's entry, so that Back leaves the screen.
      if (state?.isFromLibrary) navigate(-1);
      else setAddress(addressOf(filtersOf(addressNow())), { replace: true });
    },
  };
}

/** Null once its form is closed, also by the browser's Back. The library then reads it again. */
function useKnownProduct(id: string | null) {
  const [product, setProduct] = useState<ShownScanned | null>(null);
  const [openedId, setOpenedId] = useState(id);
  if (openedId !== id) {
    setOpenedId(id);
    if (id === null) setProduct(null);
  }
  return [product?.id === id ? product : null, setProduct] as const;
}

const listedOf = (
  pages: readonly { products: readonly ShownScanned[] }[] | undefined,
  id: string | null,
): ShownScanned | null =>
  pages?.flatMap(({ products }) => products).find((product) => product.id === id) ?? null;
