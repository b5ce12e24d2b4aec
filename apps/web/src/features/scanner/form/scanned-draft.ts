import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { noBatch } from '@draftshelf/contract/wire';
import { measureMax } from '@draftshelf/domain/base/weight';
import { statusLabel } from '@draftshelf/domain/imports/import-status';
import {
  descriptionCharsMax,
  dimensionsDefault,
  nameCharsMax,
  normalizePrice,
  parseMeasure,
  weightDefault,
} from '@draftshelf/domain/scanner/scanned-product';
import { countOf, formatCount, formatListBritish } from '../../../lib/intl.ts';
import type { Difference } from '../../../ui/draft.tsx';
import type { Prefill } from '../scan/prefill.ts';
import type { ShownScanned } from '../scanner-api.ts';

/** Labels in the form's order. */
export const fieldLabels = {
  upc: 'UPC',
  name: 'Product Name *',
  sku: 'SKU *',
  price: 'Price ($) *',
  description: 'Description',
  length: 'Length',
  width: 'Width',
  height: 'Height',
  dimensionUnit: 'Unit of length',
  weight: 'Weight (for shipping)',
  weightUnit: 'Unit of weight',
  selectedBatch: 'Add to Batch (Optional)',
} as const;
export type DraftField = keyof typeof fieldLabels;
const draftFields = Object.keys(fieldLabels) as DraftField[];

export type ScannedDraft = Record<DraftField, string>;

export type DraftPhoto = {
  key: number;
  src: string;
  /** Null until the photo has an address. */
  address: string | null;
  /** Hash of the photo's file, if the file was chosen in this form. */
  sha256?: string | null;
};

type Change = { from: string; to: string };

/** The changes of one scan, which are undone together. */
type ScanFill = {
  /** Id of the scan, to which a later answer about the code refers. */
  id: string;
  code: string;
  changes: Partial<Record<DraftField, Change>>;
  photoKeys: readonly number[];
  note: string | null;
  /** Whether the code went into the UPC although the SKU field had the focus. */
  offersSku: boolean;
};

/** `sources`: the origin of values that were not typed, for example 'UPCitemdb'. `scans`: oldest first. */
export type FormContent = {
  draft: ScannedDraft;
  photos: readonly DraftPhoto[];
  sources: Partial<Record<DraftField, string>>;
  scans: readonly ScanFill[];
};

const emptyDraft = {
  ...Object.fromEntries(draftFields.map((field) => [field, ''])),
  ...{ dimensionUnit: dimensionsDefault.unit, weightUnit: weightDefault.unit, selectedBatch: noBatch },
} as ScannedDraft;

/** A side or weight that was not measured is empty, not 0. */
const measureText = (value: number) => (value === 0 ? '' : String(value));

/** Returns the draft of a product, or of a new product if `product` is null. */
export function toScannedDraft(product: ShownScanned | null): ScannedDraft {
  if (product === null) return emptyDraft;
  const { dimensions, weight } = product;
  return {
    upc: product.upc ?? '',
    name: product.name,
    sku: product.sku,
    price: product.price,
    description: product.description,
    length: measureText(dimensions.length),
    width: measureText(dimensions.width),
    height: measureText(dimensions.height),
    dimensionUnit: dimensions.unit,
    weight: measureText(weight.value),
    weightUnit: weight.unit,
    selectedBatch: noBatch,
  };
}

export function toFormContent(product: ShownScanned | null): FormContent {
  const photos = (product?.photos ?? []).map((address, key) => ({ key, src: address, address }));
  return { draft: toScannedDraft(product), photos, sources: {}, scans: [] };
}

/** Whether two forms have the same fields and photos. */
export const isSameContent = (form: FormContent, other: FormContent): boolean =>
  draftFields.every((field) => form.draft[field] === other.draft[field]) &&
  form.photos.length === other.photos.length &&
  form.photos.every(({ key }, at) => other.photos[at]?.key === key);

export function fillEmptyFields(
  edited: FormContent,
  found: Partial<ScannedDraft>,
  source: string,
): FormContent {
  const entries = Object.entries(found) as [DraftField, string][];
  const filling = entries.filter(
    ([field, value]) => edited.draft[field].trim() === '' && value.trim() !== '',
  );
  return {
    ...edited,
    draft: { ...edited.draft, ...Object.fromEntries(filling) },
    sources: { ...edited.sources, ...Object.fromEntries(filling.map(([field]) => [field, source])) },
  };
}

/** Returns the body of a save. `photos`: addresses or data URLs. */
export const inputOf = (draft: ScannedDraft, photos: readonly string[]): ScannedInput => ({
  name: draft.name.trim(),
  description: draft.description,
  price: draft.price.trim(),
  sku: draft.sku.trim(),
  upc: draft.upc.trim() === '' ? null : draft.upc.trim(),
  dimensions: {
    length: parseMeasure(draft.length) ?? 0,
    width: parseMeasure(draft.width) ?? 0,
    height: parseMeasure(draft.height) ?? 0,
    unit: draft.dimensionUnit === 'cm' ? 'cm' : 'in',
  },
  weight: { value: parseMeasure(draft.weight) ?? 0, unit: weightUnitOf(draft.weightUnit) },
  photos: [...photos],
  selectedBatch: draft.selectedBatch,
});

const weightUnitOf = (unit: string) => (unit === 'kg' || unit === 'oz' || unit === 'g' ? unit : 'lb');

/** Change of the price by an arrow key. */
export const priceStep = 0.01;

/** Returns the price after some steps, at least 0; null if `price` is no amount. */
export function stepPrice(price: string, steps: number): string | null {
  const text = normalizePrice(price.trim() || '0');
  return text === null ? null : Math.max(0, Number(text) + steps * priceStep).toFixed(2);
}

export type DraftProblems = Partial<Record<DraftField, string>>;

export function findProblems(draft: ScannedDraft): DraftProblems {
  const problems: DraftProblems = {};
  for (const field of ['name', 'sku', 'price'] as const) {
    if (draft[field].trim() === '') problems[field] = emptyWords[field];
  }
  for (const field of ['name', 'sku'] as const) {
    if (draft[field].trim().length > nameCharsMax)
      problems[field] = `Use at most ${nameCharsMax} characters.`;
  }
  if (draft.description.length > descriptionCharsMax) {
    problems.description = `Use at most ${formatCount(descriptionCharsMax)} characters.`;
  }
  if (problems.price === undefined && normalizePrice(draft.price) === null)
    problems.price = 'Enter an amount like 24.99.';
  for (const field of ['length', 'width', 'height', 'weight'] as const) {
    if (parseMeasure(draft[field]) === null)
      problems[field] = `Enter a number from 0 to ${formatCount(measureMax)}.`;
  }
  return problems;
}

const emptyWords = { name: 'Enter a name.', sku: 'Enter a SKU.', price: 'Enter a price.' };

/** Whether a required field is empty. A separate notification reports this. */
export const isIncomplete = ({ name, sku, price }: ScannedDraft): boolean =>
  [name, sku, price].some((text) => text.trim() === '');

export function listDifferences(
  draft: ScannedDraft,
  photos: readonly DraftPhoto[],
  stored: ShownScanned,
): Difference[] {
  const theirs = toScannedDraft(stored);
  const differences = draftFields
    .filter((field) => field !== 'selectedBatch' && draft[field] !== theirs[field])
    .map((field) => ({
      label: fieldLabels[field].replace(' *', ''),
      mine: draft[field] || 'Empty',
      theirs: theirs[field] || 'Empty',
    }));
  const isSame =
    photos.length === stored.photos.length &&
    photos.every(({ address }, at) => address === stored.photos[at]);
  const words = (count: number) => countOf(count, 'photo');
  return isSame
    ? differences
    : [...differences, { label: 'Photos', mine: words(photos.length), theirs: words(stored.photos.length) }];
}

/** Form fields by the server's field names. Only names that differ are listed. */
const serverFields: Readonly<Record<string, DraftField>> = {
  'dimensions.length': 'length',
  'dimensions.width': 'width',
  'dimensions.height': 'height',
  'dimensions.unit': 'dimensionUnit',
  'weight.value': 'weight',
  'weight.unit': 'weightUnit',
};

/** Returns the form field or the photo's index that a refused save names; null if it names neither. */
export function findRefusedInput(field: string | null): { field: DraftField } | { photo: number } | null {
  if (field === null) return null;
  const photo = /^photos\.(\d+)$/.exec(field)?.[1];
  if (photo !== undefined) return { photo: Number(photo) };
  const own = serverFields[field] ?? field;
  return Object.hasOwn(fieldLabels, own) ? { field: own as DraftField } : null;
}

export const importLabel = ({ filename, status }: { filename: string; status: string }): string =>
  `${filename} (${statusLabel(status)})`;

export type StartedScan = Pick<ScanFill, 'id' | 'code' | 'offersSku'>;

/** Applies a scan: sets the code, and fills empty fields with known values. */
export function applyScan(
  edited: FormContent,
  scan: StartedScan,
  prefill: Prefill,
  photos: readonly DraftPhoto[],
): FormContent {
  if (edited.scans.some(({ id }) => id === scan.id)) return edited;
  const begun: ScanFill = { ...scan, changes: {}, photoKeys: [], note: null };
  return withPrefill({ ...edited, scans: [...edited.scans, begun] }, begun, prefill, photos);
}

/** Applies an answer that arrives after its scan was applied, unless the scan was undone. */
export function fillLater(
  edited: FormContent,
  id: string,
  prefill: Prefill,
  photos: readonly DraftPhoto[],
): FormContent {
  const scan = edited.scans.find((begun) => begun.id === id);
  // The answer's code is not applied, because the operator may have corrected the code.
  return scan === undefined ? edited : withPrefill(edited, scan, { ...prefill, code: {} }, photos);
}

function withPrefill(
  edited: FormContent,
  scan: ScanFill,
  { code, found, photos, note }: Prefill,
  addedPhotos: readonly DraftPhoto[],
): FormContent {
  const coded = { ...edited, draft: { ...edited.draft, ...code } };
  const full = found.reduce((to, { source, values }) => fillEmptyFields(to, values, source), coded);
  const hasRoom = edited.photos.length === 0 && photos.length > 0;
  const after = hasRoom ? { ...full, photos: addedPhotos } : full;
  const filledScan: ScanFill = {
    ...scan,
    note,
    changes: { ...scan.changes, ...changesOf(edited, after) },
    photoKeys: hasRoom ? addedPhotos.map(({ key }) => key) : scan.photoKeys,
  };
  return { ...after, scans: edited.scans.map((begun) => (begun.id === scan.id ? filledScan : begun)) };
}

function changesOf(before: FormContent, after: FormContent): ScanFill['changes'] {
  const changedFields = draftFields.filter((field) => before.draft[field] !== after.draft[field]);
  return Object.fromEntries(
    changedFields.map((field) => [field, { from: before.draft[field], to: after.draft[field] }]),
  );
}

/** Copies the UPC to the SKU. */
export function copyCodeToSku(edited: FormContent): FormContent {
  const scan = edited.scans.at(-1);
  if (scan === undefined) return edited;
  const { sku: _source, ...sources } = edited.sources;
  const after = { ...edited, sources, draft: { ...edited.draft, sku: scan.code } };
  const changes = { ...scan.changes, ...changesOf(edited, after) };
  return { ...after, scans: [...edited.scans.slice(0, -1), { ...scan, changes, offersSku: false }] };
}

/** Undoes the latest scan, except for values that the operator has changed since. */
export function undoScan(edited: FormContent): FormContent {
  const scan = edited.scans.at(-1);
  if (scan === undefined) return edited;
  const draft = { ...edited.draft };
  const sources = { ...edited.sources };
  for (const [field, { from, to }] of Object.entries(scan.changes) as [DraftField, Change][]) {
    if (draft[field] !== to) continue;
    draft[field] = from;
    delete sources[field];
  }
  const photos = edited.photos.filter(({ key }) => !scan.photoKeys.includes(key));
  return { draft, sources, photos, scans: edited.scans.slice(0, -1) };
}

/** Returns the filled fields, as in 'UPC, Product Name and 1 photo'; null if there are none. */
export function describeFilledFields({ changes, photoKeys }: ScanFill): string | null {
  const labels = (Object.keys(changes) as DraftField[]).map((field) => fieldLabels[field].replace(' *', ''));
  const photos = photoKeys.length === 0 ? [] : [countOf(photoKeys.length, 'photo')];
  return formatListBritish([...labels, ...photos]) || null;
}
