export const otherWorkbooks = {
  '.xls': 'an old Excel workbook (.xls)',
  '.xlsb': 'a binary Excel workbook (.xlsb)',
  '.numbers': 'a Numbers spreadsheet',
} as const;

/** Returns the refusal of a file, with the advice to save it in a readable format. */
export const saveAsSentence = (what: string): string =>
  `This is ${what}. Save it as .xlsx or CSV and upload that.`;

/** Returns the refusal of an unsupported workbook format by the file's name, or null for other names. */
export function otherWorkbookSentence(name: string): string | null {
  const end = (['.xls', '.xlsb', '.numbers'] as const).find((end) => name.toLowerCase().endsWith(end));
  return end === undefined ? null : saveAsSentence(otherWorkbooks[end]);
}

const containers = {
  '.xlsx': 'an Excel workbook',
  '.xlsm': 'an Excel workbook',
  '.ods': 'an OpenDocument spreadsheet',
  '.zip': 'a ZIP archive',
  '.gz': 'a gzip archive',
} as const;

/** Returns the message for a file whose bytes do not match its name, or null if the name's ending is unknown. */
export function unreadableSentence(name: string): string | null {
  const end = (Object.keys(containers) as (keyof typeof containers)[]).find((one) =>
    name.toLowerCase().endsWith(one),
  );
  if (end === undefined) return otherWorkbookSentence(name);
  return `The file is damaged: its name ends in ${end}, but it doesn’t begin like ${containers[end]}. It may have changed in transfer; get it again, or save the list again.`;
}

/** Returns the refusal of a file by its name, or null. Many .xls files are texts or .xlsx workbooks, so they pass. */
export const findRefusalByName = (name: string): string | null =>
  /\.xls$/i.test(name) ? null : otherWorkbookSentence(name);
