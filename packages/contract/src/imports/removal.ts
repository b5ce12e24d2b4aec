import { route } from '../route.ts';
import { ImportParams, Moved } from './imports.ts';

/** Re-reads the stored file as it was read before, for rows that retention removed. */
export const readAgain = route('readAgain', {
  params: ImportParams,
  reply: Moved,
});

/** Begins to delete an import; it is gone a little later. 409 while it is processed, changed or pushed. */
export const deleteImport = route('deleteImport', {
  action: 'delete',
  params: ImportParams,
  reply: Moved,
});
