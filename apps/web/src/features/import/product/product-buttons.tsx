import type { Row } from '@draftshelf/contract/review/rows';
import { UnstyledButton } from '@mantine/core';
import { createContext, type ReactNode, use } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { SubtleButton } from '../../../ui/basics.tsx';
import { HintedButton } from '../../../ui/hint.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { useSavedToast } from '../edits/edits-api.ts';
import { useRowEdit } from '../rows-api.ts';
import classes from './product.module.css';

export type ProductDialogKind = 'dialog' | 'images' | 'rows';
export type OpenProductDialog = (kind: ProductDialogKind, row: Row) => void;

/** Null outside of `ProductDialogs`. */
export const OpenProductContext = createContext<OpenProductDialog | null>(null);

/** Attributes that identify the opener of a dialog, so that the focus returns there when the dialog closes. */
export const toOpenerAttributes = (kind: ProductDialogKind, row: number) => ({
  'data-opens': `${kind} ${row}`,
});

/** Returns a function that opens the row's product, or null if the row is ignored. */
export function useOpenProduct(row: Row, kind: 'dialog' | 'images' = 'dialog'): (() => void) | null {
  const open = use(OpenProductContext);
  return open === null || row.ignored !== null ? null : () => open(kind, row);
}

type OpenProductProps = {
  row: Row;
  groupTitle: string | null;
  children: ReactNode;
};

export function OpenProductButton({ row, groupTitle, children }: OpenProductProps) {
  const open = useOpenProduct(row);
  const stop = useTabStop();
  if (open === null) return children;
  const title = row.values.title || groupTitle || 'Missing';
  return (
    <UnstyledButton
      {...stop}
      className={`${classes.title} line-on-hover shrink at-most-full`}
      aria-label={`${title}: edit all fields of row ${row.row}`}
      onClick={open}
      {...toOpenerAttributes('dialog', row.row)}
    >
      {children}
    </UnstyledButton>
  );
}

/** A button such as 'Row 2 of 5'. Renders nothing if the product has only one row. */
export function ProductRowsButton({ row, roomy = false }: { row: Row; roomy?: boolean }) {
  const open = use(OpenProductContext);
  const { ofProduct } = row;
  if (open === null || ofProduct === null) return null;
  return (
    <SubtleButton
      size={roomy ? 'sm' : 'compact-xs'}
      {...(roomy ? {} : { h: 18, px: 2, ml: -2 })}
      className="numbers"
      aria-label={`Row ${ofProduct.place} of ${ofProduct.rows}: show all rows of the product of row ${row.row}`}
      onClick={() => open('rows', row)}
      {...toOpenerAttributes('rows', row.row)}
    >
      Row {formatCount(ofProduct.place)} of {formatCount(ofProduct.rows)}
    </SubtleButton>
  );
}

type LeaveOutButtonProps = {
  importId: string;
  row: Pick<Row, 'row' | 'leftOut'>;
  lock: string | null;
  size?: 'compact-xs' | 'compact-sm';
  /** Called before the save, so that the caller can move the focus if the button will disappear. */
  onPress?: (button: HTMLElement) => void;
  onSaved?: (saved: Row) => void;
};

export function LeaveOutButton({ importId, row, lock, size, onPress, onSaved }: LeaveOutButtonProps) {
  const { change, isPending } = useLeavingOut(importId);
  const save = async (button: HTMLElement) => {
    if (isPending) return;
    onPress?.(button);
    const saved = await change(row);
    if (saved !== null) onSaved?.(saved);
  };
  return (
    <HintedButton
      variant="default"
      {...(size ? { size } : {})}
      reason={lock}
      loading={isPending}
      aria-label={row.leftOut ? `Put back row ${row.row}` : `Leave out of the push: row ${row.row}`}
      onClick={({ currentTarget }) => void save(currentTarget)}
    >
      {row.leftOut ? 'Put Back' : 'Leave Out of the Push'}
    </HintedButton>
  );
}

export function useLeavingOut(importId: string) {
  const { mutateAsync, isPending } = useRowEdit(importId, (_error, { leaveOut }) => ({
    title: leaveOut ? 'Couldn’t leave the row out' : 'Couldn’t put the row back',
  }));
  const showSaved = useSavedToast(importId);
  /** Saves whether a row is left out. Returns null if the save failed. */
  const change = async ({ row, leftOut }: Pick<Row, 'row' | 'leftOut'>): Promise<Row | null> => {
    try {
      const reply = await mutateAsync({ row, leaveOut: !leftOut });
      showSaved([reply]);
      return reply.row;
    } catch {
      return null;
    }
  };
  return { change, isPending };
}
