import { call } from '../../../api/call.ts';

/** Logs the analyzed rows of a test upload and their columns to the browser's console. */
export async function logAnalyzedRows(importId: string): Promise<void> {
  const { headers, rows } = await call('listRows', {
    params: { id: importId },
    query: { after: 0, limit: 3 },
  });
  console.log('Draftshelf test: columns', headers);
  for (const row of rows)
    console.log(`Draftshelf test: row ${row.row}, ${row.class}`, row.values, row.issues);
}
