import type { Row } from '@draftshelf/contract/review/rows';
import { listedProductRowsMax } from '@draftshelf/contract/wire';
import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { keptTyped } from '../../../lib/session-end.ts';
import { isPlainKey } from '../../../ui/hooks/search-field.ts';
import { useListener } from '../../../ui/hooks/use-listener.ts';
import { overlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';

const ProductDialog = overlay(() => import('./product-dialog.tsx').then((chunk) => chunk.ProductDialog));
const ProductRows = overlay(() => import('./product-rows.tsx').then((chunk) => chunk.ProductRows));

/** A row in its product. `from`: the first row of the product to read, so that the row is among them. */
export type OpenedRow = { row: number; product: number; from: number; title: string };

/** The dialog with all fields of a row, the one with its images only, or the rows of its product. */
type Kind = 'dialog' | 'images' | 'rows';
export type Opened = { kind: Kind; at: OpenedRow };

/** Where the end of the session keeps the dialog that was open and what was typed into it. */
export const keptProduct = (importId: string) => `product ${importId}`;

type Open = (kind: Kind, row: Row) => void;
const OpenContext = createContext<Open | null>(null);

/** Returns the function that opens a row's dialog or the rows of its product; null outside the provider. */
export function useOpenProduct(): Open | null {
  return use(OpenContext);
}

/** Marks the buttons that open something of a row, to return the focus to them. */
export const openerMark = (kind: Kind, row: number) => ({ 'data-opens': `${kind} ${row}` });

/**
 * The dialog of a product and the panel of its rows, over the rows of an import. Both load when they are first opened.
 */
export function ProductDialogs({ record, children }: { record: ShownImport; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(
    () => keptTyped<{ opened: Opened }>(keptProduct(record.id))?.opened ?? null,
  );
  // What was opened last stays mounted, so that it can close with its transition.
  const [last, setLast] = useState(opened);
  if (opened !== null && opened !== last) setLast(opened);
  const opener = useRef<Element | null>(null);
  const open: Open = useCallback((kind, row) => {
    opener.current = document.activeElement;
    setOpened({ kind, at: openedRowOf(row) });
  }, []);
  useEditKey();
  const close = useCallback(() => setOpened(null), []);
  const returnFocus = useCallback(() => focusOpener(opener.current, last), [last]);
  return (
    <OpenContext value={open}>
      {children}
      {last !== null && last.kind !== 'rows' && (
        <ProductDialog
          record={record}
          kind={last.kind}
          at={last.at}
          opened={opened !== null}
          lock={lockOf(record)}
          onMove={(row) => setOpened({ kind: 'dialog', at: openedRowOf(row) })}
          onClose={close}
          onClosed={returnFocus}
        />
      )}
      {last?.kind === 'rows' && (
        <ProductRows
          importId={record.id}
          at={last.at}
          opened={opened !== null}
          lock={lockOf(record)}
          onEdit={(row) => setOpened({ kind: 'dialog', at: openedRowOf(row) })}
          onClose={close}
          onClosed={returnFocus}
        />
      )}
    </OpenContext>
  );
}

/** The key `e` presses the button of the row that has the focus. */
function useEditKey(): void {
  // On the window, after the document's shortcuts: `g` and a letter open a screen.
  useListener('window', 'keydown', (event) => {
    if (event.key !== 'e' || event.defaultPrevented || !isPlainKey(event)) return;
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    row?.querySelector<HTMLElement>('[data-opens^="dialog "]')?.click();
  });
}

/** A row behind the first 250 of its product is read from its own number on. */
function openedRowOf(of: Row): OpenedRow {
  const { row, product, ofProduct } = of;
  const from = (ofProduct?.place ?? 1) > listedProductRowsMax ? row : 1;
  return { row, product, from, title: titleOf(of) };
}

/** The title of a row or of its product, else its number. */
export const titleOf = ({ row, values, productTitle }: Row): string =>
  values.title || productTitle || `row ${row}`;

function lockOf({ status }: ShownImport): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}

/** The row's own button if it is shown, else what had the focus before, else the heading of the rows. */
function focusOpener(before: Element | null, last: Opened | null): void {
  const mark = last === null ? '' : openerMark(last.kind, last.at.row)['data-opens'];
  const ownButton = document.querySelector(`[data-opens="${mark}"]`);
  const target = ownButton ?? (before?.isConnected ? before : document.querySelector('h1'));
  if (target instanceof HTMLElement) target.focus();
}
