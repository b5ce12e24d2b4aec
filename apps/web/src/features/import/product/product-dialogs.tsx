import type { ProductRow, Row } from '@draftshelf/contract/review/rows';
import { listedProductRowsMax } from '@draftshelf/contract/wire';
import { Drawer, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { readKeptInput } from '../../../api/session.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { BodyText, QuietText, SmallText } from '../../../ui/basics.tsx';
import { ReadView, Skeletons } from '../../../ui/feedback/read.tsx';
import { SmallHintedButton } from '../../../ui/hint.tsx';
import { useLastPresent } from '../../../ui/hooks.ts';
import { useScreenKey } from '../../../ui/keys.ts';
import { lazyOverlay } from '../../../ui/later.tsx';
import { editLockReason } from '../edits/edits-api.ts';
import type { ShownImport } from '../imports-api.ts';
import { IssueText, LeftOutMark } from '../issue-text.tsx';
import { formatRowPrice } from '../prices/prices.ts';
import { useProduct } from '../rows-api.ts';
import { OutcomeBadge, RowClassBadge } from '../status/status-look.tsx';
import classes from './product.module.css';
import {
  LeaveOutButton,
  OpenProductContext,
  type OpenProductDialog,
  type ProductDialogKind,
  toOpenerAttributes,
} from './product-buttons.tsx';

const ProductDialog = lazyOverlay(() => import('./product-dialog.tsx'), 'ProductDialog');

/** The product's rows are read from the row number `from` on, so that `row` is among them. */
export type OpenedRow = { row: number; product: number; from: number; title: string };

export type OpenedDialog = { kind: ProductDialogKind; at: OpenedRow };

/** Key under which the input in the open dialog is kept when the session ends. */
export const toKeptProductKey = (importId: string) => `product ${importId}`;

export function ProductDialogs({ record, children }: { record: ShownImport; children: ReactNode }) {
  const [opened, setOpened] = useState<OpenedDialog | null>(
    () => readKeptInput<{ opened: OpenedDialog }>(toKeptProductKey(record.id))?.opened ?? null,
  );
  // Keeps the dialog mounted until its closing transition has ended.
  const last = useLastPresent(opened) ?? null;
  const opener = useRef<Element | null>(null);
  const open: OpenProductDialog = useCallback((kind, row) => {
    opener.current = document.activeElement;
    setOpened({ kind, at: openedRowOf(row) });
  }, []);
  useScreenKey('e', ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    row?.querySelector<HTMLElement>('[data-opens^="dialog "]')?.click();
  });
  const close = useCallback(() => setOpened(null), []);
  const returnFocus = useCallback(() => focusOpener(opener.current, last), [last]);
  const shown = last && {
    ...{ at: last.at, opened: opened !== null, lock: editLockReason(record) },
    onEdit: (row: Row) => setOpened({ kind: 'dialog', at: openedRowOf(row) }),
    ...{ onClose: close, onClosed: returnFocus },
  };
  return (
    <OpenProductContext value={open}>
      {children}
      {shown !== null && last?.kind === 'rows' && <ProductRows importId={record.id} {...shown} />}
      {shown !== null && last !== null && last.kind !== 'rows' && (
        <ProductDialog record={record} kind={last.kind} {...shown} />
      )}
    </OpenProductContext>
  );
}

/** Reads the product from its first row or, if 250 or more of the product's rows come before `of`, from `of` on. */
function openedRowOf(of: Row): OpenedRow {
  const { row, product, ofProduct } = of;
  const from = (ofProduct?.place ?? 1) > listedProductRowsMax ? row : 1;
  return { row, product, from, title: findRowTitle(of) };
}

export const findRowTitle = ({ row, values, productTitle }: Row): string =>
  values.title || productTitle || `row ${row}`;

/** Focuses the button that opens the row, else the element that was focused before, else the heading. */
function focusOpener(before: Element | null, last: OpenedDialog | null): void {
  const mark = last === null ? '' : toOpenerAttributes(last.kind, last.at.row)['data-opens'];
  const ownButton = document.querySelector(`[data-opens="${mark}"]`);
  const target = ownButton ?? (before?.isConnected ? before : document.querySelector('h1'));
  if (target instanceof HTMLElement) target.focus();
}

/** Props of both dialogs. */
export type OpenedDialogProps = {
  at: OpenedRow;
  opened: boolean;
  lock: string | null;
  onEdit: (row: Row) => void;
  onClose: () => void;
  /** Called when the dialog has closed. The caller then returns the focus. */
  onClosed: () => void;
};

type ProductRowsProps = OpenedDialogProps & { importId: string };

function ProductRows({ importId, at, opened, lock, onEdit, onClose, onClosed }: ProductRowsProps) {
  const read = useProduct(importId, at);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      position="right"
      size={520}
      title="Rows of this product"
      classNames={{ title: classes.panelTitle ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close rows of this product' }}
    >
      <ReadView
        of={read}
        what="the rows of this product"
        meanwhile={<Skeletons gap="sm" heights={[24, 72, 72]} />}
      >
        {({ rows, totalRows, first }) => (
          <Stack gap="sm">
            <div>
              <Text fw={600} dir="auto" className="break-words">
                {first.values.title ?? 'No title'}
              </Text>
              <QuietText className="numbers">
                {rows.length === totalRows
                  ? countOf(totalRows, 'row')
                  : `${formatCount(rows.length)} of ${countOf(totalRows, 'row')} are shown`}
                {first.outcome !== null && <OutcomeBadge outcome={first.outcome.result} />}
              </QuietText>
            </div>
            <ol className={`list ${classes.rows}`} aria-label="Rows of this product">
              {rows.map((row) => (
                <OneRow key={row.row} {...{ importId, row, lock, onEdit }} isOpened={row.row === at.row} />
              ))}
            </ol>
          </Stack>
        )}
      </ReadView>
    </Drawer>
  );
}

type OneRowProps = Pick<ProductRowsProps, 'importId' | 'lock' | 'onEdit'> & {
  row: ProductRow;
  isOpened: boolean;
};

function OneRow({ importId, row, isOpened, lock, onEdit }: OneRowProps) {
  const { values } = row;
  // State of its own, because the panel keeps the rows as they were when it opened.
  const [leftOut, setLeftOut] = useState(row.leftOut);
  const options = [values.option1Value, values.option2Value, values.option3Value].filter(Boolean);
  const facts = [values.sku, values.upc, values.quantity && `${values.quantity} in stock`].filter(Boolean);
  return (
    <li
      className="flex gap-sm top line-above"
      aria-current={isOpened ? 'true' : undefined}
      data-row={row.row}
    >
      <div className="stack grow gap-hair top">
        <BodyText fw={550} dir="auto" className="break-words">
          {options.length > 0 ? options.join(' / ') : (values.title ?? '–')}
        </BodyText>
        <SmallText className="numbers break-words">
          Row {formatCount(row.row)} · {formatRowPrice(values.price ?? '', values.currency)}
          {facts.length > 0 && ` · ${facts.join(' · ')}`}
        </SmallText>
        {row.class !== 'valid' && <RowClassBadge rowClass={row.class} />}
        {leftOut && <LeftOutMark />}
        {row.issues.map((issue) => (
          <SmallText key={`${issue.code} ${issue.field ?? ''}`}>
            <IssueText issue={issue} />
          </SmallText>
        ))}
        <LeaveOutButton
          importId={importId}
          row={{ row: row.row, leftOut }}
          lock={lock}
          size="compact-sm"
          onSaved={(saved) => setLeftOut(saved.leftOut)}
        />
      </div>
      <SmallHintedButton
        reason={lock}
        aria-label={`Edit all fields of row ${row.row}`}
        onClick={() => onEdit(row)}
      >
        Edit
      </SmallHintedButton>
    </li>
  );
}
