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

/** What files are whose names end so, unless they are damaged. */
const containers = {
  '.xlsx': 'an Excel workbook',
  '.xlsm': 'an Excel workbook',
  '.ods': 'an OpenDocument spreadsheet',
  '.zip': 'a ZIP archive',
  '.gz': 'a gzip archive',
} as const;

/** The sentence for bytes that are no text and no workbook, by the name of their file; null if it says nothing. */
export function unreadableSentence(name: string): string | null {
  const end = (Object.keys(containers) as (keyof typeof containers)[]).find((one) =>
    name.toLowerCase().endsWith(one),
  );
  if (end === undefined) return otherWorkbookSentence(name);
  return `The file is damaged: its name ends in ${end}, but it doesn’t begin like ${containers[end]}. It may have changed in transfer; get it again, or save the list again.`;
}

/** That of another format, without a look at the bytes. Those of a .xls decide: many are texts, or .xlsx workbooks. */
export const refusedByName = (name: string): string | null =>
  /\.xls$/i.test(name) ? null : otherWorkbookSentence(name);
