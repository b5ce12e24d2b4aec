import type { ProductRow, Row, ShownProduct } from '@draftshelf/contract/review/rows';
import { Drawer, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Read } from '../../../ui/feedback/read.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { shownPrice } from '../prices/shown-price.ts';
import { IssueText } from '../status/issue-text.tsx';
import { LeftOutMark } from '../status/left-out-mark.tsx';
import { OutcomeBadge, RowClassBadge } from '../status/status-badge.tsx';
import { LeaveOutButton } from './leave-out-button.tsx';
import classes from './product-dialog.module.css';
import type { OpenedRow } from './product-dialogs.tsx';
import { useProduct } from './products-api.ts';

type ProductRowsProps = {
  importId: string;
  at: OpenedRow;
  opened: boolean;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  onEdit: (row: Row) => void;
  onClose: () => void;
  /** Called when the panel has gone; the caller returns the focus. */
  onClosed: () => void;
};

/** All rows of a product that has several, from anywhere in the file. */
export function ProductRows({ importId, at, opened, lock, onEdit, onClose, onClosed }: ProductRowsProps) {
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
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': 'Close rows of this product' }}
      transitionProps={{ duration: 120 }}
    >
      <Read of={read} what="the rows of this product" meanwhile={<RowsSkeleton />}>
        {(product) => <Rows importId={importId} product={product} at={at} lock={lock} onEdit={onEdit} />}
      </Read>
    </Drawer>
  );
}

function RowsSkeleton() {
  return (
    <Stack gap="sm" aria-hidden>
      <Skeleton height={24} width="60%" />
      <Skeleton height={72} />
      <Skeleton height={72} />
    </Stack>
  );
}

type RowsProps = Pick<ProductRowsProps, 'importId' | 'at' | 'lock' | 'onEdit'> & { product: ShownProduct };

function Rows({ importId, product, at, lock, onEdit }: RowsProps) {
  const { rows, totalRows, first } = product;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} dir="auto" className="break-words">
          {first.values.title ?? 'No title'}
        </Text>
        <Text size="sm" c="dimmed" className="numbers">
          {rows.length === totalRows
            ? countOf(totalRows, 'row')
            : `${formatCount(rows.length)} of ${countOf(totalRows, 'row')} are shown`}
          {first.outcome !== null && <OutcomeBadge outcome={first.outcome.result} />}
        </Text>
      </div>
      <ol className={`list ${classes.rows}`} aria-label="Rows of this product">
        {rows.map((row) => (
          <OneRow
            key={row.row}
            importId={importId}
            row={row}
            isOpened={row.row === at.row}
            lock={lock}
            onEdit={onEdit}
          />
        ))}
      </ol>
    </Stack>
  );
}

type OneRowProps = { row: ProductRow; isOpened: boolean } & Pick<
  ProductRowsProps,
  'importId' | 'lock' | 'onEdit'
>;

function OneRow({ importId, row, isOpened, lock, onEdit }: OneRowProps) {
  const { values } = row;
  // The panel keeps the rows as they were when it was opened.
  const [leftOut, setLeftOut] = useState(row.leftOut);
  const options = [values.option1Value, values.option2Value, values.option3Value].filter(Boolean);
  const facts = [values.sku, values.upc, values.quantity && `${values.quantity} in stock`].filter(Boolean);
  return (
    <li aria-current={isOpened ? 'true' : undefined} data-row={row.row}>
      <div className={`stack grow ${classes.rowText}`}>
        <Text size="sm" fw={550} dir="auto" className="break-words">
          {options.length > 0 ? options.join(' / ') : (values.title ?? '–')}
        </Text>
        <Text size="xs" c="dimmed" className="numbers break-words">
          Row {formatCount(row.row)} · {shownPrice(values.price ?? '', values.currency)}
          {facts.length > 0 && ` · ${facts.join(' · ')}`}
        </Text>
        {row.class !== 'valid' && <RowClassBadge rowClass={row.class} />}
        {leftOut && <LeftOutMark />}
        {row.issues.map((issue) => (
          <Text key={`${issue.code} ${issue.field ?? ''}`} size="xs" c="dimmed">
            <IssueText issue={issue} />
          </Text>
        ))}
        <LeaveOutButton
          importId={importId}
          row={{ row: row.row, leftOut }}
          lock={lock}
          size="compact-sm"
          onSaved={(saved) => setLeftOut(saved.leftOut)}
        />
      </div>
      <ReasonedButton
        size="compact-sm"
        variant="default"
        reason={lock}
        aria-label={`Edit all fields of row ${row.row}`}
        onClick={() => onEdit(row)}
      >
        Edit
      </ReasonedButton>
    </li>
  );
}
