import { countOf } from '../../../lib/intl.ts';
import type { Prefill } from '../scan/prefill.ts';
import {
  type Change,
  type DraftField,
  type DraftPhoto,
  type Edited,
  fieldLabels,
  fillEmpty,
  type ScanFill,
} from './scanned-draft.ts';

export type BegunScan = Pick<ScanFill, 'id' | 'code' | 'offersSku'>;

/** Also fills empty fields with known values. */
export function fillByScan(
  edited: Edited,
  scan: BegunScan,
  prefill: Prefill,
  photos: readonly DraftPhoto[],
): Edited {
  if (edited.scans.some(({ id }) => id === scan.id)) return edited;
  const begun: ScanFill = { ...scan, changes: {}, photoKeys: [], note: null };
  return withPrefill({ ...edited, scans: [...edited.scans, begun] }, begun, prefill, photos);
}

/** Nothing is added once the scan is undone. */
export function fillLater(
  edited: Edited,
  id: string,
  prefill: Prefill,
  photos: readonly DraftPhoto[],
): Edited {
  const scan = edited.scans.find((begun) => begun.id === id);
  // The operator may have corrected the code.
  return scan === undefined ? edited : withPrefill(edited, scan, { ...prefill, code: {} }, photos);
}

function withPrefill(
  edited: Edited,
  scan: ScanFill,
  { code, found, photos, note }: Prefill,
  addedPhotos: readonly DraftPhoto[],
): Edited {
  const coded = { ...edited, draft: { ...edited.draft, ...code } };
  const full = found.reduce((to, { source, values }) => fillEmpty(to, values, source), coded);
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

function changesOf(before: Edited, after: Edited): ScanFill['changes'] {
  const fields = Object.keys(fieldLabels) as DraftField[];
  const changedFields = fields.filter((field) => before.draft[field] !== after.draft[field]);
  return Object.fromEntries(
    changedFields.map((field) => [field, { from: before.draft[field], to: after.draft[field] }]),
  );
}

/** The UPC keeps the code. */
export function codeAsSku(edited: Edited): Edited {
  const scan = edited.scans.at(-1);
  if (scan === undefined) return edited;
  const { sku: _source, ...sources } = edited.sources;
  const after = { ...edited, sources, draft: { ...edited.draft, sku: scan.code } };
  const changes = { ...scan.changes, ...changesOf(edited, after) };
  return { ...after, scans: [...edited.scans.slice(0, -1), { ...scan, changes, offersSku: false }] };
}

/** Keeps values that were typed since. */
export function undoScan(edited: Edited): Edited {
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

/** 'UPC, Product Name and 1 photo'; null: none. */
export function filledWords({ changes, photoKeys }: ScanFill): string | null {
  const labels = (Object.keys(changes) as DraftField[]).map((field) => fieldLabels[field].replace(' *', ''));
  const photos = photoKeys.length === 0 ? [] : [countOf(photoKeys.length, 'photo')];
  const all = [...labels, ...photos];
  const last = all.pop();
  if (last === undefined) return null;
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
