import { route } from '../route.ts';
import { ImportParams, Moved } from './imports.ts';

/** Re-reads the stored file as it was read before, for rows that retention removed. */
export const readAgain = route({
  method: 'POST',
  path: '/api/queue/:id/read-again',
  params: ImportParams,
  reply: Moved,
});

/** Begins to delete an import; it is gone a little later. 409 while it is processed, changed or pushed. */
export const deleteImport = route({
  method: 'DELETE',
  path: '/api/queue/:id',
  action: 'delete',
  params: ImportParams,
  reply: Moved,
});
