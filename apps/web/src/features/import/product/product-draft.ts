import type { ProductRow, Row } from '@draftshelf/contract/review/rows';
import {
  type CanonicalField,
  isProductField,
  labelOf,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import {
  type ChoiceField,
  choiceReaders,
  fieldChoices,
  fieldDefaults,
} from '@draftshelf/domain/base/field-choices';
import { isMetafieldField, type MetafieldField } from '@draftshelf/domain/base/metafields';
import { listSimpleFields } from '@draftshelf/domain/base/simple-fields';
import { keepCompareAtPieceCount } from '@draftshelf/domain/products/compare-at';
import { inherit, inheritanceOf } from '@draftshelf/domain/products/grouping';
import { picturesOf } from '@draftshelf/domain/products/images';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { issueText } from '@draftshelf/domain/review/issue-texts';
import { issueField } from '@draftshelf/domain/review/issues';
import { validateRow } from '@draftshelf/domain/review/validate-row';
import { toPictureValues } from './picture-order.ts';

export const dialogFields = [
  ...([
    'title',
    'description',
    'image',
    'moreImages',
    'price',
    'compareAtPrice',
    'cost',
    'sku',
    'upc',
  ] as const),
  ...(['itemNumber', 'tcin', 'quantity', 'trackQuantity', 'continueSelling', 'origin', 'status'] as const),
  ...(['vendor', 'type', 'collections', 'tags', 'pointOfSale'] as const),
  ...listSimpleFields(),
] as const;
/** A field of the dialog. Includes metafields to which a column of the file is mapped. */
export type DialogField = (typeof dialogFields)[number] | MetafieldField;

export const isDialogField = (field: string): field is DialogField =>
  (dialogFields as readonly string[]).includes(field) || isMetafieldField(field);

const dialogNames: Partial<Record<string, string>> = {
  status: 'Product status',
  image: 'Product image',
  itemNumber: 'Item #',
  collections: 'Collection',
};

/** The label of a field in the dialog, where some fields have other names than in the table. */
export const dialogFieldLabel = (field: DialogField): string => dialogNames[field] ?? labelOf(field);

/** Changed values by field. Null undoes the saved edit of the field. */
export type FieldChanges = Readonly<Partial<Record<DialogField, string | null>>>;

/** A row whose product fields have the values of the product's first row. */
export type EditedRow = {
  values: RowValues;
  sources: Partial<Record<DialogField, 'edit' | 'found'>>;
  unedited: ProductRow['unedited'];
  /** Reasons why saved values are not sent, by field. The API checks the values against the store's definitions. */
  notSent: Readonly<Record<string, string>>;
  /** Values of the product's first row, from which this row inherits. Null if this is the first row. */
  first: RowValues | null;
  firstRow: number;
  hasOthers: boolean;
  /** True for a parent row, which needs no price because its variants have prices. */
  needsNoPrice: boolean;
  /** True for a row in a list of prices and stock, which only updates a known product. */
  isPartial: boolean;
};

export function toEditedRow(row: ProductRow, first: ProductRow): EditedRow {
  const pick = <T>(of: Record<string, T>, ofFirst: Record<string, T>): Record<string, T> => ({
    ...Object.fromEntries(Object.entries(of).filter(([field]) => !isProductField(field))),
    ...Object.fromEntries(Object.entries(ofFirst).filter(([field]) => isProductField(field))),
  });
  return {
    values: pick(row.values, first.values),
    sources: pick(row.sources, first.sources),
    unedited: pick(row.unedited, first.unedited),
    notSent: pick(notSentOf(row), notSentOf(first)),
    first: row.row === first.row ? null : first.values,
    firstRow: first.row,
    hasOthers: row.ofProduct !== null,
    needsNoPrice: row.issues.some(({ code }) => code === 'parent-without-price'),
    isPartial:
      !row.values.title && !first.values.title && !row.issues.some(({ code }) => code === 'title-missing'),
  };
}

const notSentOf = ({ issues }: Pick<Row, 'issues'>): Record<string, string> =>
  Object.fromEntries(
    issues.flatMap(({ code, field, message }) =>
      code === 'value-unread' && field !== null ? [[field, message]] : [],
    ),
  );

/** Replaces the saved values of the fields in `current`. Null means that the row has no value now. */
export function replaceSavedValues(edited: EditedRow, current: Record<string, string | null>): EditedRow {
  const values = Object.entries({ ...edited.values, ...current }).filter(([, value]) => value !== null);
  const changed = Object.keys(current).map((field) => [field, 'edit'] as const);
  return {
    ...edited,
    values: Object.fromEntries(values),
    sources: { ...edited.sources, ...Object.fromEntries(changed) },
  };
}

/** Returns the text to show for a value: the label of a choice, or the default if there is no value. */
function textOf(field: DialogField, value: string | undefined): string {
  if (isChoice(field)) return choiceReaders[field](value);
  return value || ((fieldDefaults as RowValues)[field] ?? '');
}

const isChoice = (field: DialogField): field is ChoiceField => Object.hasOwn(fieldChoices, field);

export function readFieldText(edited: EditedRow, changes: FieldChanges, field: DialogField): string {
  const change = changes[field];
  if (change === undefined) return textOf(field, edited.values[field]);
  return change ?? textOf(field, edited.unedited[field]?.value);
}

/** Changes a field. A value equal to the saved value removes the change. */
export function changeFieldValue(
  edited: EditedRow,
  changes: FieldChanges,
  field: DialogField,
  value: string,
): FieldChanges {
  const { [field]: _before, ...others } = changes;
  return value === textOf(field, edited.values[field]) ? others : { ...others, [field]: value };
}

export const listEditedPictures = (edited: EditedRow, changes: FieldChanges): string[] => {
  const [image, moreImages] = [
    readFieldText(edited, changes, 'image'),
    readFieldText(edited, changes, 'moreImages'),
  ];
  return picturesOf({ image, moreImages }).map(({ src }) => src);
};

/** Changes the pictures. If these are the saved pictures in the saved order, the cells keep their exact text. */
export function changePictures(
  edited: EditedRow,
  changes: FieldChanges,
  srcs: readonly string[],
): FieldChanges {
  const saved = picturesOf(edited.values).map(({ src }) => src);
  const isSaved = saved.length === srcs.length && saved.every((src, at) => src === srcs[at]);
  const { image = '', moreImages = '' } = isSaved ? edited.values : toPictureValues(srcs);
  return changeFieldValue(
    edited,
    changeFieldValue(edited, changes, 'image', image),
    'moreImages',
    moreImages,
  );
}

/** Removes the change of a field. If the field has no change, undoes its saved edit. */
export function undoFieldChange(edited: EditedRow, changes: FieldChanges, field: DialogField): FieldChanges {
  const { [field]: before, ...others } = changes;
  if (before !== undefined) return others;
  return edited.sources[field] === 'edit' ? { ...others, [field]: null } : others;
}

/** Changes a field to an earlier value. A null `value` stands for the value in the file, so the edit is undone. */
export function restoreEarlierValue(
  edited: EditedRow,
  changes: FieldChanges,
  field: DialogField,
  value: string | null,
): FieldChanges {
  if (value !== null) return changeFieldValue(edited, changes, field, textOf(field, value));
  const { [field]: _before, ...others } = changes;
  return undoFieldChange(edited, others, field);
}

export const formatEarlierValue = (edited: EditedRow, field: DialogField, value: string | null): string =>
  textOf(field, value ?? edited.unedited[field]?.value);

export function findUndoTarget(
  edited: EditedRow,
  changes: FieldChanges,
  field: DialogField,
): 'change' | 'edit' | null {
  if (changes[field] !== undefined) return 'change';
  return edited.sources[field] === 'edit' ? 'edit' : null;
}

type FieldValues = Partial<Record<DialogField, string | null>>;

/** Returns trimmed values, or null if there are no changes. */
export function toProductRequest(
  edited: EditedRow,
  changes: FieldChanges,
): { values: FieldValues; expected: FieldValues } | null {
  const values: FieldValues = {};
  const expected: FieldValues = {};
  for (const [name, change] of Object.entries(changes)) {
    const field = name as DialogField;
    const before = edited.values[field] ?? null;
    const value = change?.trim() ?? null;
    if (value === null ? edited.sources[field] !== 'edit' : value === (before ?? '')) continue;
    values[field] = value;
    expected[field] = before;
  }
  return Object.keys(values).length === 0 ? null : { values, expected };
}

/** Applies the reply to a save of `sent`. The server saves product fields on the product's first row. */
export function applySavedChanges(
  edited: EditedRow,
  sent: FieldValues,
  saved: Pick<Row, 'values' | 'sources' | 'issues'>,
): EditedRow {
  const values: RowValues = { ...edited.values };
  const sources = { ...edited.sources };
  const others = Object.entries(edited.notSent).filter(([field]) => sent[field as DialogField] === undefined);
  const notSent = edited.first === null ? notSentOf(saved) : Object.fromEntries(others);
  for (const [name, after] of Object.entries(sent)) {
    const field = name as DialogField;
    const isOnRow = edited.first === null || !isProductField(field);
    const value = isOnRow ? saved.values[field] : (after ?? edited.unedited[field]?.value);
    const source = isOnRow ? saved.sources[field] : after === null ? undefined : 'edit';
    if (value) values[field] = value;
    else delete values[field];
    if (source) sources[field] = source;
    else delete sources[field];
  }
  return { ...edited, values, sources, notSent };
}

/** Returns the changes that were made after `sent` was saved, rebased from the row `before` onto the row `saved`. */
export function findLaterChanges(
  before: EditedRow,
  saved: EditedRow,
  changes: FieldChanges,
  sent: FieldChanges,
): FieldChanges {
  let since: FieldChanges = {};
  for (const field of Object.keys({ ...sent, ...changes }) as DialogField[]) {
    if (changes[field] === sent[field]) continue;
    if (changes[field] === null) since = { ...since, [field]: null };
    else since = changeFieldValue(saved, since, field, readFieldText(before, changes, field));
  }
  return since;
}

export function applyFieldChanges(edited: EditedRow, changes: FieldChanges): RowValues {
  const values: RowValues = { ...edited.values };
  for (const [name, change] of Object.entries(changes)) {
    const field = name as DialogField;
    const value = change === null ? edited.unedited[field]?.value : change?.trim();
    if (value) values[field] = value;
    else delete values[field];
  }
  const unedited = Object.fromEntries(
    Object.entries(edited.unedited).map(([field, { value }]) => [field, value]),
  );
  const isEdited = (field: CanonicalField) => {
    const change = (changes as Partial<Record<CanonicalField, string | null>>)[field];
    return change === undefined ? (edited.sources as RowValues)[field] === 'edit' : change !== null;
  };
  return keepCompareAtPieceCount(unedited, values, isEdited);
}

export function findFieldProblems(
  edited: EditedRow,
  changes: FieldChanges,
): Partial<Record<DialogField, string>> {
  const values = applyFieldChanges(edited, changes);
  const inherited = edited.first === null ? {} : inherit(values, inheritanceOf(edited.first));
  const { hasOthers: hasParents, isPartial } = edited;
  const { issues } = validateRow(values, inherited, { currency: null, hasParents, isPartial });
  const codes = issuesIn(issues).filter(
    (code) => code !== 'value-unread' && !(edited.needsNoPrice && code === 'price-missing'),
  );
  const notSent = Object.entries(edited.notSent).filter(
    ([field]) => changes[field as DialogField] === undefined,
  );
  return Object.fromEntries([
    ...notSent,
    ...codes.map((code) => [issueField(code), issueText(code, values)] as const),
  ]);
}

const previewTitleChars = 60;
const previewDescriptionChars = 120;

export const toSearchPreview = (
  title: string,
  description: string,
): { title: string; description: string } => ({
  title: cut(title, previewTitleChars),
  description: cut(description, previewDescriptionChars),
});

function cut(text: string, chars: number): string {
  const all = [...text.trim()];
  return all.length > chars ? `${all.slice(0, chars).join('')}...` : all.join('');
}
