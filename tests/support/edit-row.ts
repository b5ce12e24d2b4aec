import type { Db } from '@draftshelf/core/connection/database';
import { editRows, type RowToEdit } from '@draftshelf/core/review/edits';

/** Edits one row, as the api does for a PATCH. */
export const editRow = (db: Db, importId: string, row: number, values: RowToEdit['values']) =>
  editRows(db, importId, { kind: 'single' }, [{ row, values }]);
