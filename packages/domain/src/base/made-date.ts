import type { CanonicalField } from './canonical-fields.ts';

/** Fields of codes and sizes, in which a date is mostly the work of a spreadsheet. */
export const codeFields: ReadonlySet<CanonicalField> = new Set([
  ...(['sku', 'itemNumber', 'handle', 'parentSku'] as const),
  ...(['option1Value', 'option2Value', 'option3Value'] as const),
]);

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mrz|Mai|Okt|Dez)';
const year = '(?:19|20)\\d\\d';
const date = new RegExp(
  `^(?:\\d{4}-\\d\\d-\\d\\d(?: 00:00:00)?|\\d{1,2}([./])\\d{1,2}\\1${year}|\\d{1,2}(?:[- ]|\\. )${month}|${month}[- ]\\d\\d)$`,
);

/** Whether a text is a date with its year. */
export const isWholeDate = (text: string): boolean => isMadeDate(text) && /^\d{4}-|\d{4}$/.test(text);

/** Whether a text is a date as spreadsheets write one that they made of '1-2' or 'MAR-24'. */
export const isMadeDate = (text: string): boolean => text.length <= 19 && date.test(text);
