import type { ImportRecord } from '@draftshelf/core/connection/schema';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { findImport } from '@draftshelf/core/imports/imports';
import { pushImport, resumeImport, retryImport } from '@draftshelf/core/work/import-actions';
import type { ChosenSupplier } from '@draftshelf/core/work/runs';
import { hasOpenTask } from '@draftshelf/core/work/tasks';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { editRow } from './edit-row.ts';
import { storedImport, until } from './fixture.ts';
import { statusOf } from './import-status.ts';
import type { Stack } from './stack.ts';

const accepted = (moved: ActionResult) => {
  if (!moved.ok) throw new Error(moved.reason);
};

/** Steps of push tests on the imports of a stack, which may be started after this call. */
export function pushSteps(stack: () => Stack) {
  const read = async (id: string): Promise<ImportRecord> => {
    const found = await findImport(stack().database.db, id);
    if (!found) throw new Error('The import is gone');
    return found;
  };
  const reach = async (id: string, ...statuses: string[]) => {
    const isThere = async () => statuses.includes(await statusOf(stack().database, id));
    await until(statuses.join(' or '), isThere).catch(async (error: Error) => {
      const { status, error_message, waiting_for } = await read(id);
      const now = `${status} ${error_message ?? ''} ${waiting_for ?? ''}`;
      throw new Error(
        `${error.message}; now ${now}\n${stack().process('push-worker').output().slice(-1500)}`,
      );
    });
    return read(id);
  };
  const inTransaction = <T>(step: (trx: Stack['database']['db']) => Promise<T>) =>
    stack().database.db.transaction().execute(step);
  return {
    read,
    reach,
    /** Waits until a pushed list is its supplier's latest: before that it is neither read again nor deleted. */
    counted: (id: string) =>
      until('the list is counted', async () => !(await hasOpenTask(stack().database.db, id, 'count-list'))),
    /** Files of tests look like each other's: where it is asked whose list one is, it is nobody's. */
    push: async (id: string, batchSize?: number) =>
      accepted(await inTransaction((trx) => pushImport(trx, id, batchSize, { supplier: null }))),
    retry: async (id: string, batchSize?: number) =>
      accepted(await inTransaction((trx) => retryImport(trx, id, batchSize))),
    resume: async (id: string) => accepted(await inTransaction((trx) => resumeImport(trx, id))),
    edit: async (id: string, row: number, values: Parameters<typeof editRow>[3]) => {
      const edited = await inTransaction((trx) => editRow(trx, id, row, values));
      if (!edited.ok) throw new Error(edited.reason);
    },
    /** Another import with the same `sha256`, which a push treats as the same file. */
    importOf: async (csv: string, sha256: string, chosen?: ChosenSupplier) => {
      // Each file has SKUs of its own: equal ones in two files are one product of the store.
      const unique = csv.replaceAll(',V-', `,${sha256.slice(0, 4)}-`);
      const record = await storedImport(stack(), { csv: unique, set: { sha256 }, chosen });
      return reach(record.id, 'processed', 'queued');
    },
    /** How many products have been sent to the store. */
    calls: async () => (await stack().store.stats()).requests.productSet ?? 0,
    /** The products in the store whose title begins with `start`. */
    productsNamed: async (start: string) =>
      (await stack().store.products()).filter((product) => product.title.startsWith(start)),
    /**
     * The writes of an import, with the products before and after them. A listing has the state after the last write
     * of its product.
     */
    states: (id: string) =>
      stack()
        .database.db.selectFrom('pushed_states as state')
        .leftJoin('listings as listing', 'listing.state_id', 'state.id')
        .select(['run', 'kind', 'before', 'sent_before', 'source_before', 'sent_hash_before', 'begun_at'])
        .select((of) => [
          of.fn.coalesce('state.after', 'listing.baseline').$castTo<LiveProduct | null>().as('after'),
          of.fn.coalesce('state.after_read_at', 'listing.baseline_read_at').as('after_read_at'),
        ])
        .where('import_id', '=', id)
        .orderBy('state.id')
        .execute(),
    /** Outcome, code and message of each product. */
    outcomes: (id: string) =>
      stack()
        .database.db.selectFrom('outcomes')
        .select(['product', 'outcome', 'code', 'message'])
        .where('import_id', '=', id)
        .orderBy('product')
        .execute(),
  };
}
