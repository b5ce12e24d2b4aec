import { countOf, formatCount } from '../../lib/intl.ts';

/** The label of the upload button, as specified: 'Upload 48 Products'. */
export function uploadLabel(validProducts: number): string {
  return `Upload ${formatCount(validProducts)} Products`;
}

/** Reason for disabling 'Upload N Products'; null if it is enabled. */
export function uploadBlock(at: {
  busy: boolean;
  files: number;
  fit: number;
  checking: number;
  valid: number;
}) {
  if (at.busy) return 'Another upload is in progress.';
  if (at.fit === 0) return 'None of these files can be uploaded.';
  if (at.checking > 0) {
    return at.files === 1 ? 'The file is still being read.' : 'Some files are still being checked.';
  }
  return at.valid === 0 ? 'No product has both a title and a valid price.' : null;
}

/** 'Rows 201–400 of 450'. */
export function rowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
