import type { Row } from '@draftshelf/contract/review/rows';
import { isProductField, labelOf } from '@draftshelf/domain/base/canonical-fields';
import { type InlineField, inlineFields } from '@draftshelf/domain/base/field-look';
import { isMetafieldField } from '@draftshelf/domain/base/metafields';
import { useRef, useState } from 'react';
import { readKeptInput, useKeepInput } from '../../../api/session.ts';

export type RowDraft = Record<InlineField, string>;

/** Returns a row's values, with the values of product fields taken from the product's first row. */
export function findValuesToEdit(
  values: Record<string, string>,
  firstOfProduct: Record<string, string>,
): Record<string, string> {
  const edited = { ...values };
  for (const [field, value] of Object.entries(firstOfProduct)) {
    if (isProductField(field)) edited[field] = value;
  }
  return edited;
}

export const toRowDraft = (values: Record<string, string>): RowDraft => {
  const metafields = Object.keys(values).filter(isMetafieldField);
  return Object.fromEntries(
    [...inlineFields, ...metafields].map((field) => [field, values[field] ?? '']),
  ) as RowDraft;
};

export type OpenEdit = {
  draft: RowDraft;
  /** The row's values when the edit began, or after its last save. */
  before: Record<string, string>;
  /** Current values that the last save did not replace, because they differed from `before`. */
  conflict?: CurrentValues;
};

type CurrentValues = Partial<Record<string, string | null>>;

type FieldValues = Partial<Record<InlineField, string | null>>;

/** Returns the changed fields with their trimmed new values and their earlier values, or null if none has changed. */
export function toRowRequest({
  draft,
  before,
}: OpenEdit): { values: FieldValues; expected: FieldValues } | null {
  const unedited = toRowDraft(before);
  const fields = Object.keys({ ...unedited, ...draft }) as InlineField[];
  const typed = (field: InlineField) => draft[field]?.trim() ?? '';
  const changed = fields.filter((field) => typed(field) !== (unedited[field] ?? ''));
  if (changed.length === 0) return null;
  return {
    values: Object.fromEntries(changed.map((field) => [field, typed(field)])),
    expected: Object.fromEntries(changed.map((field) => [field, before[field] ?? null])),
  };
}

/** Rebases an edit onto values that conflict with it, so that the next save replaces those values. */
export const rebaseOntoConflict = (edit: OpenEdit, current: CurrentValues): OpenEdit => ({
  ...rebaseOntoSaved(edit, current),
  conflict: current,
});

/** Rebases an edit onto the saved values, so that text typed during the save stays unsaved. */
export function rebaseOntoSaved({ draft, before }: OpenEdit, saved: CurrentValues): OpenEdit {
  const values = Object.entries({ ...before, ...saved }).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return { draft, before: Object.fromEntries(values) };
}

export const conflictWords = (current: CurrentValues): string =>
  `${valuesChangedWords(current)} Save again to replace that change, or cancel to keep it.`;

/** Example: 'Price was changed to “12” meanwhile.' */
export function valuesChangedWords(current: CurrentValues): string {
  const changes = [...inlineFields, ...Object.keys(current).filter(isMetafieldField)]
    .filter((field) => Object.hasOwn(current, field))
    .map((field) =>
      current[field]
        ? `${labelOf(field)} was changed to “${current[field]}”`
        : `${labelOf(field)} was emptied`,
    );
  return `${changes.join(', and ')} meanwhile.`;
}

/** Identifies a row that may be on another page. */
type RowKey = { key: string; row: number };

type RowEdit = RowKey & { edit: OpenEdit };

export type UnsavedRow = RowEdit & { request: NonNullable<ReturnType<typeof toRowRequest>> };

export type RowDrafts = ReturnType<typeof useRowDrafts>;

/** Contains the line too, because after a re-read another record may have the same row number. */
const keyOf = (of: RowKey | Pick<Row, 'row' | 'line'>) => ('key' in of ? of.key : `${of.row} ${of.line}`);

/** Unsaved edits survive filters, pages, a switch between table and cards, and the end of the session. */
export function useRowDrafts(importId: string) {
  const keptAs = `rows ${importId}`;
  const [edits, setEdits] = useState<ReadonlyMap<string, RowEdit>>(() => readKeptInput(keptAs) ?? new Map());
  const newest = useRef(edits);
  const setAll = (next: ReadonlyMap<string, RowEdit>) => {
    newest.current = next;
    setEdits(next);
  };
  const unsaved: UnsavedRow[] = [...edits.values()].flatMap((rowEdit) => {
    const request = toRowRequest(rowEdit.edit);
    return request === null ? [] : [{ ...rowEdit, request }];
  });
  useKeepInput(keptAs, () => (unsaved.length === 0 ? undefined : newest.current));
  return {
    of: (row: Row): OpenEdit | null => edits.get(keyOf(row))?.edit ?? null,
    /** Returns the edit at this moment. When a reply arrives, this edit may be newer than the rendered one. */
    newestOf: (row: Row | RowKey): OpenEdit | null => newest.current.get(keyOf(row))?.edit ?? null,
    /** Sets the edit of a row. A null edit ends it. */
    set(of: Row | RowKey, edit: OpenEdit | null) {
      const [next, key] = [new Map(newest.current), keyOf(of)];
      if (edit === null) next.delete(key);
      else next.set(key, { key, row: of.row, edit });
      setAll(next);
    },
    end: () => setAll(new Map()),
    unsaved,
  };
}
