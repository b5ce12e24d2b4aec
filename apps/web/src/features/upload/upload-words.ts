import { countOf, formatCount } from '../../lib/intl.ts';
import type { Classes } from './files/file-words.ts';

/** 'Upload 48 Products', as specified. */
export const uploadLabel = (validProducts: number): string => `Upload ${countOf(validProducts, 'Product')}`;

/** Numbers of files: to upload, still being checked, and readable by the server only. */
type Scope = {
  files: number;
  checking: number;
  unseen: number;
  classes: Pick<Classes, 'products' | 'exact' | 'valid'>;
};

/** Null: the button can do nothing. `testFile`: name of the file that a test uploads. */
export function actionHints({ files, checking, unseen, classes }: Scope, testFile: string | null) {
  const { products, exact, valid } = classes;
  const amount = unseen > 0 ? 'at least ' : exact ? '' : 'about ';
  const content = products === 0 ? '' : ` with ${amount}${countOf(products, 'product')}`;
  const all = `Uploads ${countOf(files, 'file')}${content}`;
  const early = `Uploads ${countOf(files, 'file')} now, without waiting for the check.`;
  const same = valid === 0 ? '' : ` ${uploadLabel(valid)} does the same.`;
  const checked = `${all}, valid or not.${same}`;
  return {
    test: testFile && `Uploads only the first 3 rows of ${testFile}, as an import to try.`,
    processAll: files === 0 ? null : checking > 0 ? early : checked,
    upload: `${all}, ${valid === products ? 'all valid' : `${formatCount(valid)} of them valid`}. Process All does the same without waiting for the check.`,
  };
}

/** Null: enabled. */
export function uploadBlock(at: {
  busy: boolean;
  files: number;
  fit: number;
  checking: number;
  unseen: number;
  valid: number;
}) {
  if (at.busy) return 'Another upload is in progress.';
  if (at.fit === 0) return 'None of these files can be uploaded.';
  if (at.checking > 0) {
    return at.files === 1 ? 'The file is still being read.' : 'Some files are still being checked.';
  }
  if (at.valid > 0) return null;
  return at.unseen > 0
    ? 'Process All uploads what this browser can’t preview.'
    : 'No product has both a title and a valid price.';
}

/** 'Rows 201–400 of 450'. */
export function rowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
