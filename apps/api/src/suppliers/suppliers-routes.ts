import * as pages from '@draftshelf/contract/suppliers/supplier-page';
import * as contract from '@draftshelf/contract/suppliers/suppliers';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { SupplierListRecord } from '@draftshelf/core/connection/schema';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { fingerprintHeaders } from '@draftshelf/core/reading/mappings';
import * as changing from '@draftshelf/core/suppliers/change-supplier';
import { proposeByEvidence } from '@draftshelf/core/suppliers/evidence';
import * as imports from '@draftshelf/core/suppliers/find-supplier';
import { findBusyReason } from '@draftshelf/core/suppliers/leaving-suppliers';
import * as ownValues from '@draftshelf/core/suppliers/own-values';
import * as supplierPushes from '@draftshelf/core/suppliers/supplier-pushes';
import * as summaries from '@draftshelf/core/suppliers/supplier-summaries';
import * as suppliers from '@draftshelf/core/suppliers/suppliers';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import { supplierSignsOf } from '@draftshelf/domain/suppliers/list-signs';
import type { FastifyReply } from 'fastify';
import type { StoreConnection } from '../access/store-connection.ts';
import { runChange } from '../http/databases.ts';
import { notFound, requireOk } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { serveImport } from '../imports/serve-import.ts';

export function serveSuppliers(api: Api, { store }: { store: StoreConnection }): void {
  const { db, changes } = api;
  serve(api, contract.listSuppliers, () => suppliers.listSuppliers(db, contract.suppliersMax));
  serve(api, contract.findSupplier, ({ body }) => readInSnapshot(db, (trx) => propose(trx, body)));
  serve(api, contract.renameSupplier, async ({ params: { id }, body }) => {
    requireOk(await changing.renameSupplier(changes.db, id, body));
    return { id, name: body.name };
  });
  serve(
    api,
    contract.answerSupplier,
    async ({ params: { id }, body }) =>
      requireOk(await changing.changeSupplierAnswers(changes.db, id, body)).answers,
  );
  serveImport(api, contract.setSupplier, async ({ record: { id }, body }) => {
    const currency = await store.currency();
    await runChange(api, (trx) =>
      'again' in body ? beginReread(trx, id, { currency }) : imports.setSupplier(trx, id, body, currency),
    );
    return { success: true as const };
  });
  serve(api, pages.summarizeSuppliers, async () =>
    (await summaries.summarizeSuppliers(db, contract.suppliersMax)).map(({ last, leaves, ...supplier }) => ({
      ...supplier,
      leaving: leaves && leavingSentence(leaves),
      last: last && { ...last, beganAt: new Date(last.beganAt).toISOString() },
    })),
  );
  serve(api, pages.getSupplier, ({ params: { id } }) => readInSnapshot(db, (trx) => readDetails(trx, id)));
  serve(api, pages.listOwnValues, async ({ params: { id }, query }) => {
    const { after = '', search = '', field = null } = query;
    const at = after.lastIndexOf(' ');
    const behind = { subject: after.slice(0, Math.max(0, at)), field: after.slice(at + 1) };
    const found = await ownValues.listOwnValues(db, id, {
      ...{ after: behind, search: search.trim(), field },
      limit: pages.valuesPageSize + 1,
    });
    const values = found.slice(0, pages.valuesPageSize).map(valueFields);
    const last = found.length > values.length ? values.at(-1) : undefined;
    return { values, next: last ? `${last.subject} ${last.field}` : null };
  });
  serve(api, pages.forgetOwnValues, async ({ params: { id }, body }) => ({
    forgotten: await ownValues.forgetValues(changes.db, id, body),
  }));
  serve(api, pages.forgetSign, async ({ params: { id }, body }) => {
    await summaries.deleteSign(changes.db, id, body);
    return { success: true as const };
  });
  serve(api, pages.forgetSettled, async ({ params: { id }, body }) => {
    if ('currency' in body) await supplierPushes.removeAgreedCurrency(changes.db, id, body.currency);
    else await supplierPushes.rememberStockChoice(changes.db, id, null);
    return { success: true as const };
  });
  const begin = async (id: number, into: number | null, reply: FastifyReply) => {
    requireOk(await changing.requestMergeOrDelete(changes.db, id, into));
    reply.code(202);
    return { success: true as const };
  };
  serve(api, pages.mergeSupplier, ({ params: { id }, body: { into }, reply }) => begin(id, into, reply));
  serve(api, pages.deleteSupplier, ({ params: { id }, reply }) => begin(id, null, reply));
}

const listFields = createWireMapper(pages.getSupplier.reply.shape.lists.element);
const valueFields = createWireMapper(pages.OperatorValue);

async function readDetails(db: Db, id: number): Promise<pages.SupplierDetails> {
  const supplier = await summaries.readSupplier(db, id);
  if (!supplier) throw notFound('This supplier was deleted.');
  const lists = await summaries.listNewestLists(db, id, pages.listsShownMax);
  return {
    ...supplier,
    values: supplier.fields.reduce((sum, { values }) => sum + values, 0),
    busy: (await findBusyReason(db, [id])) ?? null,
    lists: lists.map(listFields),
    signs: await readSigns(db, id, lists),
  };
}

/** Reads the signs that identify a supplier's lists. A layout also has `columns` and the newest list's `filename`. */
async function readSigns(db: Db, id: number, listed: readonly Pick<SupplierListRecord, 'import_id'>[]) {
  const ids = listed.flatMap(({ import_id }) => import_id ?? []);
  const read = await summaries.readFileHeaders(db, ids);
  const byLayout = new Map(read.toReversed().map((file) => [fingerprintHeaders(file.headers), file]));
  return (await summaries.listSigns(db, id)).map(({ kind, value, lists, last_at }) => {
    const file = kind === 'layout' ? byLayout.get(value) : undefined;
    const { headers: columns = null, filename = null } = file ?? {};
    return { kind, value, lists, lastAt: last_at.toISOString(), columns, filename };
  });
}

async function propose(db: Db, { filename, headers, items }: Call<typeof contract.findSupplier>['body']) {
  const rows = items.map(({ letters, ...item }) => ({
    ...item,
    letters: hashOf(letters),
    text: null,
    title: null,
  }));
  const signs = supplierSignsOf({ layout: fingerprintHeaders(headers), filename, path: null });
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
  const [newest] = await summaries.listNewestLists(db, id, 1);
  const last = newest ? { filename: newest.filename, items: newest.products ?? 0 } : null;
  return { is, supplier, known, sampled, last };
}

function hashOf(letters: string): string | null {
  const hash = letters.toLowerCase().padStart(8, '0');
  return /^0*$/.test(hash) ? null : hash;
}
