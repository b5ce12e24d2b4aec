import { canDo } from '@draftshelf/domain/imports/import-status';
import { countOf } from '../../../lib/intl.ts';
import { importPath, needsYouPath } from '../../../lib/paths.ts';
import type { OpenedImport } from '../../import/index.ts';

/** A link that leads on from an upload. `needsOperator`: nothing happens to its import before the operator goes on. */
export type NextStep = { words: string; to: string; needsOperator: boolean };

/** What fits an uploaded import in its status; `record` is null if the import is not known. */
export function nextStep(
  id: string,
  record: OpenedImport | null,
  reportPath: (id: string) => string,
): NextStep {
  if (record === null) return { words: 'Review', to: importPath(id), needsOperator: true };
  const { status, warningProducts, errorProducts } = record;
  if (canDo('viewReport', status)) return { words: 'View Report', to: reportPath(id), needsOperator: false };
  if (!canDo('review', status)) return { words: 'Open Import', to: importPath(id), needsOperator: false };
  const lacking = warningProducts + errorProducts;
  if (lacking === 0) return { words: 'Review', to: importPath(id), needsOperator: true };
  return { words: `Review ${countOf(lacking, 'Product')}`, to: needsYouPath(id), needsOperator: true };
}
