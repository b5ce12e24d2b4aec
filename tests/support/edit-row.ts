import type { Db } from '@draftshelf/database/connection/database';
import { editRows, type RowChange } from '@draftshelf/database/rows/edits';

/** A change of one row, as the api makes it of a PATCH. */
export const editRow = (db: Db, importId: string, row: number, values: RowChange['values']) =>
  editRows(db, importId, { kind: 'single' }, [{ row, values }]);
