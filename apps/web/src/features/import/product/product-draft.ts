import type { ProductRow } from '@draftshelf/contract/review/rows';
import {
  type CanonicalField,
  fieldSpecs,
  productFields,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import {
  type ChoiceField,
  choiceOf,
  fieldChoices,
  fieldDefaults,
} from '@draftshelf/domain/base/field-choices';
import { keepPieces } from '@draftshelf/domain/products/compare-at';
import { inherit, inheritanceOf } from '@draftshelf/domain/products/grouping';
import { picturesOf } from '@draftshelf/domain/products/images';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { issueText } from '@draftshelf/domain/review/issue-texts';
import { issueField } from '@draftshelf/domain/review/issues';
import { validateRow } from '@draftshelf/domain/review/validate-row';
import { picturesAsValues } from './picture-order.ts';

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
] as const;
export type DialogField = (typeof dialogFields)[number];

export const isDialogField = (field: string): field is DialogField =>
  (dialogFields as readonly string[]).includes(field);

const dialogNames: Partial<Record<CanonicalField, string>> = {
  status: 'Product status',
  image: 'Product image',
  itemNumber: 'Item #',
  collections: 'Collection',
};

/** A field's name in the dialog: the specification has another than the label for some. */
export const dialogName = (field: DialogField): string => dialogNames[field] ?? fieldSpecs[field].label;

/** The changes of a dialog that are not saved yet; null undoes the field's edit. */
export type Changes = Readonly<Partial<Record<DialogField, string | null>>>;

/** The row as the dialog shows it. Fields that a product has only once come from its first row. */
export type EditedRow = {
  values: RowValues;
  sources: Partial<Record<DialogField, 'edit' | 'found'>>;
  unedited: ProductRow['unedited'];
  /** The values of the product's first row, from which others inherit; null if this is the first. */
  first: RowValues | null;
  firstRow: number;
  /** The product has several rows. */
  hasOthers: boolean;
  /** It is a parent row: its variants have the prices. */
  needsNoPrice: boolean;
  /** It is of a list of prices and stock, and updates a product that is known. */
  isPartial: boolean;
};

export function editedRowOf(row: ProductRow, first: ProductRow): EditedRow {
  const pick = <T>(of: Record<string, T>, ofFirst: Record<string, T>): Record<string, T> => ({
    ...Object.fromEntries(Object.entries(of).filter(([field]) => !isOfProduct(field))),
    ...Object.fromEntries(Object.entries(ofFirst).filter(([field]) => isOfProduct(field))),
  });
  return {
    values: pick(row.values, first.values),
    sources: pick(row.sources, first.sources),
    unedited: pick(row.unedited, first.unedited),
    first: row.row === first.row ? null : first.values,
    firstRow: first.row,
    hasOthers: row.ofProduct !== null,
    needsNoPrice: row.issues.some(({ code }) => code === 'parent-without-price'),
    isPartial:
      !row.values.title && !first.values.title && !row.issues.some(({ code }) => code === 'title-missing'),
  };
}

/** Whether a field comes from the product's first row. */
export const isOfProduct = (field: string): boolean => (productFields as ReadonlySet<string>).has(field);

/** The row with some of its values replaced by those that it has now; null: none. */
export function withCurrent(edited: EditedRow, current: Record<string, string | null>): EditedRow {
  const values = Object.entries({ ...edited.values, ...current }).filter(([, value]) => value !== null);
  const changed = Object.keys(current).map((field) => [field, 'edit'] as const);
  return {
    ...edited,
    values: Object.fromEntries(values),
    sources: { ...edited.sources, ...Object.fromEntries(changed) },
  };
}

/** The field's content without changes: its value in the words of its choices, or the default. */
function textOf(field: DialogField, value: string | undefined): string {
  if (isChoice(field)) return choiceOf[field](value);
  return value || ((fieldDefaults as RowValues)[field] ?? '');
}

const isChoice = (field: DialogField): field is ChoiceField => Object.hasOwn(fieldChoices, field);

/** The value that a field shows. */
export function fieldText(edited: EditedRow, changes: Changes, field: DialogField): string {
  const change = changes[field];
  if (change === undefined) return textOf(field, edited.values[field]);
  return change ?? textOf(field, edited.unedited[field]?.value);
}

/** The changes with a new value of a field. The value that it had is no change. */
export function withValue(edited: EditedRow, changes: Changes, field: DialogField, value: string): Changes {
  const { [field]: _before, ...others } = changes;
  return value === textOf(field, edited.values[field]) ? others : { ...others, [field]: value };
}

/** The addresses of a row's pictures with the changes. */
export const picturesWith = (edited: EditedRow, changes: Changes): string[] => {
  const [image, moreImages] = [fieldText(edited, changes, 'image'), fieldText(edited, changes, 'moreImages')];
  return picturesOf({ image, moreImages }).map(({ src }) => src);
};

/** The changes with these pictures in this order. In the order that is saved, their cells stay as they are. */
export function withPictures(edited: EditedRow, changes: Changes, srcs: readonly string[]): Changes {
  const saved = picturesOf(edited.values).map(({ src }) => src);
  const isSaved = saved.length === srcs.length && saved.every((src, at) => src === srcs[at]);
  const { image = '', moreImages = '' } = isSaved ? edited.values : picturesAsValues(srcs);
  return withValue(edited, withValue(edited, changes, 'image', image), 'moreImages', moreImages);
}

/** Changes with one field removed. Without a change of the field, its saved edit is undone. */
export function withoutChange(edited: EditedRow, changes: Changes, field: DialogField): Changes {
  const { [field]: before, ...others } = changes;
  if (before !== undefined) return others;
  return edited.sources[field] === 'edit' ? { ...others, [field]: null } : others;
}

/** The changes that give a field an earlier value; null: the one of the file, without an edit. */
export function withEarlier(
  edited: EditedRow,
  changes: Changes,
  field: DialogField,
  value: string | null,
): Changes {
  if (value !== null) return withValue(edited, changes, field, textOf(field, value));
  const { [field]: _before, ...others } = changes;
  return withoutChange(edited, others, field);
}

/** The value that a field would show with an earlier value; null: the one of the file. */
export const earlierText = (edited: EditedRow, field: DialogField, value: string | null): string =>
  textOf(field, value ?? edited.unedited[field]?.value);

/** Target of Undo on this field: an unsaved change, a saved edit, or nothing. */
export function undoOf(edited: EditedRow, changes: Changes, field: DialogField): 'change' | 'edit' | null {
  if (changes[field] !== undefined) return 'change';
  return edited.sources[field] === 'edit' ? 'edit' : null;
}

type FieldValues = Partial<Record<DialogField, string | null>>;

/** The request that saves the changes, trimmed, with the values that were shown; null if nothing is changed. */
export function requestOf(
  edited: EditedRow,
  changes: Changes,
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

/** The row's values with the changes, as they would be saved. */
export function changedValues(edited: EditedRow, changes: Changes): RowValues {
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
  return keepPieces(unedited, values, isEdited);
}

/** The problems of the changed values, by field. */
export function problemsOf(edited: EditedRow, changes: Changes): Partial<Record<DialogField, string>> {
  const values = changedValues(edited, changes);
  const inherited = edited.first === null ? {} : inherit(values, inheritanceOf(edited.first));
  const { hasOthers: hasParents, isPartial } = edited;
  const { issues } = validateRow(values, inherited, { currency: null, hasParents, isPartial });
  const codes = issuesIn(issues).filter((code) => !(edited.needsNoPrice && code === 'price-missing'));
  return Object.fromEntries(codes.map((code) => [issueField(code), issueText(code, values)]));
}

const previewTitleChars = 60;
const previewDescriptionChars = 120;

/** Title and description as a search engine would cut them. */
export function searchPreviewOf(title: string, description: string): { title: string; description: string } {
  return { title: cut(title, previewTitleChars), description: cut(description, previewDescriptionChars) };
}

function cut(text: string, chars: number): string {
  const all = [...text.trim()];
  return all.length > chars ? `${all.slice(0, chars).join('')}...` : all.join('');
}
