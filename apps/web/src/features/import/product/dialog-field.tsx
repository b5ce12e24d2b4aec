import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, joinWords } from '../../../lib/intl.ts';
import { ActionIcon } from '../../../ui/button.tsx';
import { SmallText } from '../../../ui/text.tsx';
import classes from './product.module.css';
import { type DialogField, dialogName, isOfProduct } from './product-draft.ts';
import type { ProductForm } from './use-product-form.ts';

function originOf(form: ProductForm, field: DialogField): string {
  const { first, firstRow } = form.edited;
  const ofProduct = first !== null && isOfProduct(field) ? `Product, row ${formatCount(firstRow)}` : '';
  return joinWords([ofProduct, ownOriginOf(form, field)]);
}

function ownOriginOf({ edited, changes, textOf }: ProductForm, field: DialogField): string {
  const unedited = edited.unedited[field];
  if (typeof changes[field] === 'string') return 'Not saved';
  const source = changes[field] === null ? undefined : edited.sources[field];
  if (source === 'edit') return 'Edited';
  if (unedited !== undefined) return unedited.column === null ? 'Filled in' : `File: ${unedited.column}`;
  return textOf(field) === '' ? '' : 'Default';
}

type DialogFieldProps = {
  form: ProductForm;
  field: DialogField;
  children: (input: FieldInput) => ReactNode;
};

export type FieldInput = {
  id: string;
  value: string;
  disabled: boolean;
  error: ReactNode;
  'aria-describedby': string;
};

export function DialogFieldFrame({ form, field, children }: DialogFieldProps) {
  const label = dialogName(field);
  const id = `product-${field}`;
  const undo = form.undoOf(field);
  const origin = originOf(form, field);
  const unedited = form.edited.unedited[field]?.value;
  const isReplaced = undo !== null && unedited !== undefined && unedited !== form.textOf(field);
  return (
    <div data-field={field}>
      <div className={`row ${classes.label} size-sm`}>
        <label htmlFor={id}>{label}</label>
        {origin !== '' && (
          <span
            className={`ellipsis ${classes.origin} small`}
            data-edited={undo !== null || undefined}
            dir="auto"
            title={origin}
          >
            {origin}
          </span>
        )}
        {undo !== null && form.lock === null && (
          <ActionIcon
            className={`${classes.undo} rigid`}
            size="sm"
            variant="subtle"
            aria-label={undo === 'edit' ? `Undo edit to ${label}` : `Undo change to ${label}`}
            title={undo === 'edit' ? 'Undo this edit' : 'Undo this change'}
            onClick={() => form.undo(field)}
          >
            <IconArrowBackUp size={14} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {children({
        id,
        value: form.textOf(field),
        disabled: form.lock !== null,
        error: form.problems[field],
        'aria-describedby': form.problems[field] === undefined ? `${id}-file` : `${id}-file ${id}-error`,
      })}
      <SmallText id={`${id}-file`} lineClamp={2} className="break-words">
        {form.unsent[field]} {isReplaced && `In the file: ${unedited}`}
      </SmallText>
    </div>
  );
}
