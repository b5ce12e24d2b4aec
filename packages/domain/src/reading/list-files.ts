/** The ends of the names of files that are taken: texts, workbooks and archives. */
export const listFileEnds = ['.csv', '.tsv', '.txt', '.xlsx', '.xlsm', '.zip', '.gz'] as const;

/** Whether a file is taken as a list of products, by its type or its name. Its bytes decide what it is. */
export function isListFile({ name, type = '' }: { name: string; type?: string }): boolean {
  const lower = name.toLowerCase();
  return type.toLowerCase() === 'text/csv' || listFileEnds.some((end) => lower.endsWith(end));
}
