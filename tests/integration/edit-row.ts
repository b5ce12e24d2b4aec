import type { Db } from '@draftshelf/database/connect';
import { editRows, type RowChange } from '@draftshelf/database/edits';

/** A change of one row, as the api makes it of a PATCH. */
export const editRow = (db: Db, importId: string, row: number, values: RowChange['values']) =>
  editRows(db, importId, { kind: 'single' }, [{ row, values }]);
