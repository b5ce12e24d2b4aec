import { countOf, formatCount } from '../../lib/intl.ts';

/** The label of the upload button, as specified: 'Upload 48 Products'. */
export function uploadLabel(validProducts: number): string {
  return `Upload ${formatCount(validProducts)} Products`;
}

/** Reason for disabling 'Upload N Products'; null if it is enabled. */
export function uploadBlock(at: { busy: boolean; complete: boolean; valid: number }): string | null {
  if (at.busy) return 'Another upload is in progress.';
  if (!at.complete) return 'The file is still being read.';
  return at.valid === 0 ? 'No product has both a title and a valid price.' : null;
}

type Checked = { products: number; exact: boolean; valid: number };

/** Explains the buttons in a sentence: they name different numbers, but all upload every product. */
export function uploadScope(checked: Checked, others: number): string {
  const about = checked.exact ? '' : 'about ';
  const { products } = checked;
  const all =
    products === 1 ? '1 product is uploaded' : `All ${about}${formatCount(products)} products are uploaded`;
  const lacking = products - checked.valid;
  const need = `${lacking === 1 ? '1 needs' : `${formatCount(lacking)} need`} a title or price before`;
  const scope = lacking === 0 ? `${all}.` : `${all}. ${need} ${lacking === 1 ? 'it' : 'they'} can be pushed.`;
  return others === 0 ? scope : `${scope} Process All uploads all ${formatCount(others + 1)} files.`;
}

/** 'Rows 201–400 of 450'. */
export function rowRange(page: number, perPage: number, total: number): string {
  if (total === 0) return countOf(0, 'row');
  const first = (page - 1) * perPage + 1;
  return `Rows ${formatCount(first)}–${formatCount(Math.min(page * perPage, total))} of ${formatCount(total)}`;
}
