import type { Row } from '@draftshelf/contract/review/rows';
import { labelOf, type RowField } from '@draftshelf/domain/base/canonical-fields';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { losesDecimals, readQuantity } from '@draftshelf/domain/base/quantity';
import { UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconPinnedOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { ActionIcon, EllipsisName, QuietText } from '../../../ui/basics.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { Hint } from '../../../ui/hint.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { type CellMark, findMark } from '../cell-marks.ts';
import { carriedValueText, findEarlierValue } from '../list/list-words.ts';
import { foundValueWords } from '../lookups/lookup-words.ts';
import { formatRowPrice } from '../prices/prices.ts';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';
import type { InlineEdit } from './use-grid.ts';

type FieldValueProps = {
  row: Row;
  field: InlineField;
  inherited: string | null;
  /** Null if the cell has no undo button. */
  undoEdit: InlineEdit['undoEdit'];
  wrap?: (value: ReactNode) => ReactNode;
};

export function FieldValue({ row, field, inherited, undoEdit, wrap = unchanged }: FieldValueProps) {
  const value = row.values[field] ?? '';
  const mark = findMark(row, field);
  const variant = field === 'title' && row.ofProduct !== null ? variantWords(row) : '';
  const isRepeated = variant !== '' && row.ofProduct?.place !== 1 && !row.sources.title;
  // Cuts SKUs in the middle, and also titles that have only one line because a button is below them.
  const isCutInside = field === 'sku' || (field === 'title' && row.ofProduct !== null);
  const isInherited = inherited !== null && (value === '' || (value === inherited && isRepeated));
  return (
    <span className={`${classes.value} row baseline gap-x-tight wrap`}>
      {wrap(
        <>
          {isInherited && (
            <QuietText component="span" dir="auto" className={classes.text} data-text>
              ↳ {variant !== '' && `${variant} · `}
              {formatCellValue(field, inherited)}
            </QuietText>
          )}
          {mark === null || (isInherited && mark.kind === 'missing') ? (
            !isInherited && (
              <span
                dir="auto"
                className={isCutInside ? `flex ${classes.cutInside} pre shrink` : classes.text}
                data-text
                title={row.readAs?.[field] ?? value}
              >
                {!isCutInside && formatCellValue(field, value, row.values.currency)}
                {isCutInside && (variant === '' ? <EllipsisName name={value} /> : <span>{value}</span>)}
                {variant !== '' && <QuietText component="span">{` · ${variant}`}</QuietText>}
              </span>
            )
          ) : (
            <Marked
              mark={mark}
              value={value}
              price={field === 'price' ? formatRowPrice(value, row.values.currency) : null}
            />
          )}
        </>,
      )}
      {row.listed && <BeforeMark row={row} field={field} />}
      <Source row={row} field={field} undoEdit={undoEdit} />
    </span>
  );
}

const unchanged = (value: ReactNode) => value;

/** Example: 'Matte Black · S'. Distinguishes variants. */
const variantWords = ({ values: { option1Value, option2Value, option3Value } }: Row): string =>
  [option1Value, option2Value, option3Value].filter(Boolean).join(' · ');

/** `price`: the formatted price, or null for other fields. The price replaces the value, or follows a wrong value. */
function Marked({ mark, value, price }: { mark: CellMark; value: string; price: string | null }) {
  const { kind, sentence } = mark;
  const isUnusable = price !== null && kind !== 'note';
  return (
    <>
      {kind !== 'unneeded' && (
        <span
          dir="auto"
          className={`${classes.mark} underlined warning at-most-full`}
          data-mark={kind}
          title={sentence}
        >
          {kind === 'missing' ? 'Missing' : isUnusable ? value : (price ?? value)}
        </span>
      )}
      {isUnusable && (
        <span className="small" title={sentence}>
          {kind === 'unneeded' ? '—' : price}
        </span>
      )}
    </>
  );
}

function Source({ row, field, undoEdit }: Omit<FieldValueProps, 'inherited'>) {
  const source = row.sources[field];
  const found = foundValueWords(row, field);
  const carried = row.carried?.[field];
  if (source === undefined) return null;
  return (
    <span className="inline-flex gap-hair center selected size-xs" data-source>
      {source === 'found' && <HintedWords words="filled in" label={`Filled in. ${found}`} hint={found} />}
      {source === 'edit' &&
        (carried ? (
          <YoursMark row={row.row} field={field} carried={carried} />
        ) : (
          // Hidden if there is an undo button, because that button's tooltip shows the word.
          <span className={undoEdit === null ? undefined : 'visually-hidden'}>edited</span>
        ))}
      {source === 'edit' && undoEdit !== null && (
        <ActionIcon
          size="sm"
          variant="subtle"
          className={classes.undo}
          aria-label={`Undo edit to ${labelOf(field)} in row ${row.row}`}
          title="Edited. Undo this edit"
          onClick={() => undoEdit(field)}
        >
          <IconArrowBackUp size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}

function BeforeMark({ row, field }: { row: Row; field: string }) {
  const before = findEarlierValue(row, field);
  if (before === null) return null;
  const { change, was } = before;
  return (
    <span className="small">
      <HintedWords words={change} label={`${change}, ${was}`} hint={`${was} (${change})`} />
    </span>
  );
}

type YoursMarkProps = {
  row: number;
  field: RowField;
  carried: NonNullable<Row['carried']>[string];
};

function YoursMark({ row, field, carried }: YoursMarkProps) {
  const { list } = useRowsReview().record;
  const text = 'This list keeps your value. The next list shows the supplier’s value.';
  const forgetting = useCall('forgetOwnValues', {
    failed: 'Couldn’t forget it',
    onSuccess: () => toast({ title: 'Forgotten', text }),
  });
  const words = carriedValueText(carried, list);
  const { subject } = carried;
  const supplier = list?.supplier?.id;
  return (
    <>
      <HintedWords words="yours" label={words} hint={words} />
      {subject !== null && supplier !== undefined && !forgetting.isSuccess && (
        <ActionIcon
          size="sm"
          variant="subtle"
          className={classes.undo}
          aria-label={`Forget your ${labelOf(field)} of row ${row}`}
          title="Forget: don’t carry it into the next list"
          onClick={() => forgetting.mutate({ params: { id: supplier }, body: { subject, field } })}
        >
          <IconPinnedOff size={14} aria-hidden />
        </ActionIcon>
      )}
    </>
  );
}

const HintedWords = ({ words, label, hint }: { words: string; label: string; hint: string }) => (
  <Hint text={hint}>
    <UnstyledButton {...useTabStop()} style={{ font: 'inherit' }} aria-label={label}>
      {words}
    </UnstyledButton>
  </Hint>
);

const amounts: readonly InlineField[] = ['compareAtPrice', 'cost'];

/**
 * Returns a value as its cell shows it: amounts and quantities as parsed ('default=100' is 100, 3.7 is '3.7 → 3'), and
 * descriptions without markup. Prices have no thousands separators.
 */
export function formatCellValue(field: InlineField, value: string, currency?: string): string {
  if (field === 'price' || (amounts.includes(field) && /\d/.test(value)))
    return formatRowPrice(value, currency);
  if (field === 'description') return value.replace(/<[^>]*>/g, ' ').trim();
  const quantity = field === 'quantity' && value !== '' ? readQuantity(value) : null;
  if (quantity === null || !Number.isSafeInteger(quantity)) return value;
  return losesDecimals(value) ? `${value} → ${formatCount(quantity)}` : formatCount(quantity);
}
