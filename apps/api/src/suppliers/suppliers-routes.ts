import * as contract from '@draftshelf/contract/suppliers/suppliers';
import { type Db, readConsistently } from '@draftshelf/core/connection/database';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { layoutOf } from '@draftshelf/core/reading/mappings';
import * as answering from '@draftshelf/core/suppliers/answer-supplier';
import { proposeByEvidence } from '@draftshelf/core/suppliers/evidence';
import * as imports from '@draftshelf/core/suppliers/find-supplier';
import * as suppliers from '@draftshelf/core/suppliers/suppliers';
import { signsOf } from '@draftshelf/domain/suppliers/list-signs';
import type { StoreConnection } from '../access/store-connection.ts';
import { type ApiDatabases, makeChange } from '../http/databases.ts';
import { orConflict } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';

export function serveSuppliers(
  api: Api,
  { database: { db }, changes, store }: ApiDatabases & { store: StoreConnection },
): void {
  serve(api, contract.listSuppliers, () => suppliers.listSuppliers(db, contract.suppliersMax));
  serve(api, contract.findSupplier, ({ body }) => readConsistently(db, (trx) => propose(trx, body)));
  serve(api, contract.renameSupplier, async ({ params: { id }, body }) => {
    orConflict(await answering.renameSupplier(changes.db, id, body));
    return { id, name: body.name };
  });
  serve(
    api,
    contract.answerSupplier,
    async ({ params: { id }, body }) =>
      orConflict(await answering.answerSupplier(changes.db, id, body)).answers,
  );
  serve(api, contract.setSupplier, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const currency = await store.currency();
    await makeChange({ changes }, (trx) =>
      'again' in body ? beginReread(trx, id, { currency }) : imports.setSupplier(trx, id, body, currency),
    );
    return { success: true as const };
  });
}

async function propose(db: Db, { filename, headers, items }: Call<typeof contract.findSupplier>['body']) {
  const rows = items.map(({ letters, ...item }) => ({ ...item, letters: hashOf(letters), text: null }));
  const signs = signsOf({ layout: layoutOf(headers), filename, path: null });
  const list = { rows, signs, name: null, sameBytes: null, except: null };
  const { proposal, candidates, sampled } = await proposeByEvidence(db, list);
  const { is } = proposal;
  const unknown = { is, supplier: null, known: 0, sampled, last: null };
  if (is === 'new' || is === 'none') return unknown;
  const id = is === 'certain' ? proposal.supplier : proposal.asked.supplier;
  const counted = is === 'unsure' ? proposal.asked : candidates.find((one) => one.supplier === id);
  const known = counted?.known ?? 0;
  const supplier = await suppliers.findSupplier(db, { id });
  if (!supplier || (is === 'certain' && !(await suppliers.isNamed(db, id)))) return { ...unknown, known };
  return { is, supplier, known, sampled, last: await suppliers.readLastList(db, id) };
}

function hashOf(letters: string): string | null {
  const hash = letters.toLowerCase().padStart(8, '0');
  return /^0*$/.test(hash) ? null : hash;
}
