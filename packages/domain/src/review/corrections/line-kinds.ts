import type { UnchangedReason } from '../operations/left-reason.ts';

/** Results for changed cells of a corrections file, and for its rows that cannot be compared, each as a sentence. */
export const lineResultSentences = {
  change: 'To be changed.',
  conflict: 'Edited here since the download, to another value.',
  ambiguous: 'The file has this row twice, with different values.',
  'of-product': 'This value belongs to the product: change it in the product’s first row.',
  date: 'The spreadsheet changed the value into a date.',
  formula: 'A formula or its error, not a value.',
  unclear: 'Maybe the same number in another form. If you mean another number, change the cell here.',
  'found-since':
    'The value that was found for this cell is no longer known. Correct the cell in a new download.',
  'not-a-number': 'Not a number.',
  'no-result': 'Not an amount that this field can have.',
  'too-long': 'Too long for this field.',
  'not-allowed': 'Not a value that this field can have.',
  'no-key': 'The row has no key in the column ‘Draftshelf row’.',
  'changed-key': 'The key in the column ‘Draftshelf row’ was changed.',
  'other-import': 'The row belongs to another import.',
  'no-row': 'The row is not in this import any more.',
} as const satisfies Record<string, string> & Partial<Record<UnchangedReason, string>>;
export type LineResult = keyof typeof lineResultSentences;

export const lineResults = Object.keys(lineResultSentences) as [LineResult, ...LineResult[]];
