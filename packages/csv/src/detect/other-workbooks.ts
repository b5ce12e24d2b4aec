/** Workbooks that are not read, by the ends of their names. */
export const otherWorkbooks = {
  '.xls': 'an old Excel workbook (.xls)',
  '.xlsb': 'a binary Excel workbook (.xlsb)',
  '.numbers': 'a Numbers spreadsheet',
} as const;

/** The sentence that refuses a file of another format, which its program can save as one that is read. */
export const saveAsSentence = (what: string): string =>
  `This is ${what}. Save it as .xlsx or CSV and upload that.`;

/** The sentence for a workbook that is not read, by its name; null for others. */
export function otherWorkbookSentence(name: string): string | null {
  const end = (['.xls', '.xlsb', '.numbers'] as const).find((end) => name.toLowerCase().endsWith(end));
  return end === undefined ? null : saveAsSentence(otherWorkbooks[end]);
}

/** The same without a look at the bytes. Those of a .xls decide: many are texts, or .xlsx workbooks. */
export const refusedByName = (name: string): string | null =>
  /\.xls$/i.test(name) ? null : otherWorkbookSentence(name);
