import * as contract from '@draftshelf/contract/suppliers/supplier-page';
import { suppliersMax } from '@draftshelf/contract/suppliers/suppliers';
import { type Db, readConsistently } from '@draftshelf/core/connection/database';
import { layoutOf } from '@draftshelf/core/reading/mappings';
import { leave } from '@draftshelf/core/suppliers/leave';
import { findBusyList, findLeaving } from '@draftshelf/core/suppliers/leaving-suppliers';
import * as ownValues from '@draftshelf/core/suppliers/own-values';
import * as supplierPushes from '@draftshelf/core/suppliers/supplier-pushes';
import * as summaries from '@draftshelf/core/suppliers/supplier-summaries';
import { readAnswers } from '@draftshelf/core/suppliers/suppliers';
import { busySentence, leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import type { FastifyReply } from 'fastify';
import type { ApiDatabases } from '../http/databases.ts';
import { notFound, orConflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';

export function serveSupplierPage(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, contract.summarizeSuppliers, async () =>
    (await summaries.summarizeSuppliers(db, suppliersMax)).map(({ last, leaves, ...supplier }) => ({
      ...supplier,
      leaving: leaves && leavingSentence(leaves),
      last: last && { ...last, beganAt: new Date(last.beganAt).toISOString() },
    })),
  );
  serve(api, contract.getSupplier, ({ params: { id } }) =>
    readConsistently(db, (trx) => readDetails(trx, id)),
  );
  serve(api, contract.listOwnValues, async ({ params: { id }, query }) => {
    const { after = '', search = '', field = null } = query;
    const at = after.lastIndexOf(' ');
    const behind = { subject: after.slice(0, Math.max(0, at)), field: after.slice(at + 1) };
    const found = await ownValues.listOwnValues(db, id, {
      ...{ after: behind, search: search.trim(), field },
      limit: contract.valuesPageSize + 1,
    });
    const values = found
      .slice(0, contract.valuesPageSize)
      .map((value) => ({ ...value, saidAt: value.saidAt.toISOString() }));
    const last = found.length > values.length ? values.at(-1) : undefined;
    return { values, next: last ? `${last.subject} ${last.field}` : null };
  });
  serve(api, contract.forgetOwnValues, async ({ params: { id }, body }) => ({
    forgotten: await ownValues.forgetValues(changes.db, id, body),
  }));
  serve(api, contract.forgetSign, async ({ params: { id }, body }) => {
    await summaries.deleteSign(changes.db, id, body);
    return { success: true as const };
  });
  serve(api, contract.forgetSettled, async ({ params: { id }, body }) => {
    if ('currency' in body) await supplierPushes.endCurrency(changes.db, id, body.currency);
    else await supplierPushes.rememberStockChoice(changes.db, id, null);
    return { success: true as const };
  });
  const begin = async (id: number, into: number | null, reply: FastifyReply) => {
    orConflict(await leave(changes.db, id, into));
    reply.code(202);
    return { success: true as const };
  };
  serve(api, contract.mergeSupplier, ({ params: { id }, body: { into }, reply }) => begin(id, into, reply));
  serve(api, contract.deleteSupplier, ({ params: { id }, reply }) => begin(id, null, reply));
}

async function readDetails(db: Db, id: number): Promise<contract.SupplierDetails> {
  const supplier = await summaries.readSupplier(db, id);
  if (!supplier) throw notFound('This supplier was deleted.');
  const lists = await summaries.listNewest(db, id, contract.listsShownMax);
  const answers = await readAnswers(db, id);
  if (!answers) throw notFound('This supplier was deleted.');
  return {
    ...{ ...supplier, answers },
    values: supplier.fields.reduce((sum, { values }) => sum + values, 0),
    busy: await readBusy(db, id),
    lists: lists.map((list) => ({
      ...list,
      beganAt: list.beganAt.toISOString(),
      countedAt: list.countedAt?.toISOString() ?? null,
    })),
    signs: await readSigns(
      db,
      id,
      lists.flatMap(({ importId }) => importId ?? []),
    ),
  };
}

async function readBusy(db: Db, id: number): Promise<string | null> {
  const leaves = await findLeaving(db, [id]);
  if (leaves) return leavingSentence(leaves);
  const busy = await findBusyList(db, [id]);
  return busy ? busySentence(busy) : null;
}

async function readSigns(
  db: Db,
  id: number,
  importIds: readonly string[],
): Promise<contract.SupplierDetails['signs']> {
  const read = await summaries.readHeaders(db, importIds);
  const byLayout = new Map(read.toReversed().map((file) => [layoutOf(file.headers), file]));
  return (await summaries.listSigns(db, id)).map(({ kind, value, lists, last_at }) => {
    const file = kind === 'layout' ? byLayout.get(value) : undefined;
    const { headers: columns = null, filename = null } = file ?? {};
    return { kind, value, lists, lastAt: last_at.toISOString(), columns, filename };
  });
}
