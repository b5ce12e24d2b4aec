import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { addressNow } from '../../lib/address-now.ts';
import { later } from '../../ui/later.tsx';
import { drawnFirst } from './drawn-cards.ts';
import { Library } from './library.tsx';
import { type NewCode, type ScanMode, Scanning } from './scan/scanning.tsx';
import { prepareSound } from './scan/signals.ts';
import { addressOf, filtersOf, type LibraryFilters, type Opened, openedOf } from './scanner-address.ts';
import { libraryRead, type ShownScanned, useLibrary } from './scanner-api.ts';
import { useCardActions } from './use-card-actions.ts';

const loadForm = () => import('./form/form-page.tsx').then((chunk) => chunk.FormPage);
const FormPage = later(loadForm);

/** A search starts when the operator has stopped typing for this time. */
const typedMs = 150;

/** The state of the form's entry in the browser's history. */
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
  const [mode, setMode] = useState<ScanMode>('closed');
  const [scanned, setScanned] = useState<NewCode | null>(null);
  /** The product that a scan has opened, as the look-up returned it; null once its form is closed. */
  const [known, setKnown] = useState<ShownScanned | null>(null);
  const [drawn, setDrawn] = useState(drawnFirst);
  useEffect(() => loadAhead(), []);
  const id = opened?.kind === 'product' ? opened.id : null;
  useEffect(() => {
    // Also by the browser's Back. The library reads it again.
    if (id === null) setKnown(null);
  }, [id]);
  const scan = (to: 'one' | 'many') => {
    prepareSound();
    setMode(to);
  };
  const open = (what: Opened, code: NewCode | null = null) => {
    setScanned(code);
    setReturnTo(null);
    // A form that a scan replaces is no step of the way back.
    const isFromLibrary = opened === null || state?.isFromLibrary === true;
    navigate(
      { search: `?${addressOf(filtersOf(addressNow()), what)}` },
      { state: { isFromLibrary } satisfies FormState, replace: opened !== null },
    );
  };
  const close = (returnTo: string) => {
    setScanned(null);
    setReturnTo(returnTo);
    // The form's entry goes, so that Back leaves the screen.
    if (state?.isFromLibrary) navigate(-1);
    else setAddress(addressOf(filtersOf(addressNow())), { replace: true });
  };
  return (
    <>
      <Scanning
        mode={mode}
        onMode={setMode}
        onKnown={(product) => {
          setKnown(product);
          open({ kind: 'product', id: product.id });
        }}
        onNew={(code) => (opened === null ? open({ kind: 'new' }, code) : setScanned(code))}
      />
      {opened !== null && (
        <FormPage
          key={id ?? 'new'}
          id={id}
          listed={known?.id === id ? known : listedOf(library.data?.pages, id)}
          scanned={scanned}
          onScan={() => scan('one')}
          onSaved={close}
          onCancel={() => close(id ?? '')}
        />
      )}
      {opened === null && (
        <Library
          library={library}
          filters={filters}
          actions={actions}
          returnTo={returnTo}
          drawn={drawn}
          onDraw={setDrawn}
          onFilter={(changed: Partial<LibraryFilters>) =>
            setAddress(addressOf({ ...filtersOf(addressNow()), ...changed }), { replace: true })
          }
          onOpen={(product) => open({ kind: 'product', id: product.id })}
          onNew={() => open({ kind: 'new' })}
          onScan={scan}
        />
      )}
    </>
  );
}

Component.loader = loaderOf(({ request }) => [
  libraryRead(filtersOf(new URL(request.url).searchParams).search.trim()),
]);

/** A scanner's keys are not heard by others when they go down. */
const firstActs = ['keyup', 'pointerdown'];

/**
 * Loads the form with the first key or touch: while a hand-held scanner types the rest of its code, or the scan view
 * opens. Returns how to stop.
 */
function loadAhead(): () => void {
  const load = () => {
    stop();
    // Opening the form tries again.
    loadForm().catch(() => {});
  };
  const stop = () => {
    for (const type of firstActs) window.removeEventListener(type, load);
  };
  for (const type of firstActs) window.addEventListener(type, load);
  return stop;
}

function listedOf(
  pages: readonly { products: readonly ShownScanned[] }[] | undefined,
  id: string | null,
): ShownScanned | null {
  return pages?.flatMap(({ products }) => products).find((one) => one.id === id) ?? null;
}
