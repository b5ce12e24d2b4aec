import { type SignedList, signsOf, supplierNameOf } from '@draftshelf/domain/suppliers/list-signs';
import type { Db } from '../connection/database.ts';
import type { FoundSupplier, ImportRecord } from '../connection/schema.ts';
import { layoutOf } from '../reading/mappings.ts';
import { MustWait } from '../work/complete-chunk.ts';
import { type ChosenSupplier, type RunOfRows, readChosenSupplier, readParseRun } from '../work/runs.ts';
import {
  findSupplierOfBytes,
  isBeingKept,
  proposeByEvidence,
  readSampledRows,
  type SampledRow,
} from './evidence.ts';
import { earlierIsKept, findListOf, hasOtherLists } from './lists.ts';
import type { PreparedBatch, StepPart } from './prepared-batch.ts';
import { findSupplier, newestSupplier } from './suppliers.ts';

const sampledRowsMax = 500;

type SampledList = SignedList & { rows: SampledRow[] };

export const nobody: FoundSupplier = { id: null, name: null, by: null, asked: null, signs: [], newest: 0 };

export async function findSupplierOfRun({ db, record, of }: PreparedBatch): Promise<StepPart> {
  if (record.test_mode) return {};
  const chosen = await readChosenSupplier(db, of);
  if (chosen) return { supplier: await supplierByChoice(db, record, of, chosen) };
  return { supplier: await supplierByEvidence(db, record, await readSampledList(db, record, of)) };
}

/** Returns the supplier that the operator chose. A name that a supplier has, in any case, is that supplier. */
export async function supplierByChoice(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  chosen: ChosenSupplier,
): Promise<FoundSupplier> {
  const list = await readSampledList(db, record, of);
  const newest = await newestSupplier(db);
  const found = { ...nobody, by: 'operator' as const, signs: signsOf(list), newest };
  if (!('name' in chosen)) return { ...found, id: chosen.supplier };
  const { name } = chosen;
  const known = name === '' ? undefined : await findSupplier(db, { name });
  return known ? { ...found, id: known.id } : { ...found, name: name || (supplierNameOf(list) ?? '') };
}

/** Finds a list's supplier by evidence; a re-read mostly keeps it. Throws MustWait while items are being kept. */
export async function supplierByEvidence(
  db: Db,
  record: ImportRecord,
  list: SampledList,
): Promise<FoundSupplier> {
  const signs = signsOf(list);
  const own = record.supplier;
  const found = { ...nobody, by: 'evidence' as const, signs, newest: await newestSupplier(db) };
  const isOwn = own !== null && ((await hasOtherLists(db, own, record.id)) || (await hasCounted(db, record)));
  if (isOwn) return { ...found, id: own };
  if (await isBeingKept(db, list.rows, record.id)) throw new MustWait(earlierIsKept);
  const name = supplierNameOf(list);
  const { proposal } = await proposeByEvidence(db, {
    rows: list.rows,
    signs,
    name,
    sameBytes: await findSupplierOfBytes(db, record),
    except: own,
  });
  if (proposal.is === 'certain') return { ...found, id: proposal.supplier };
  if (own !== null) return { ...found, id: own };
  if (proposal.is === 'unsure') return { ...found, by: null, asked: proposal.asked };
  return proposal.is === 'new' ? { ...found, name: name ?? '' } : nobody;
}

async function hasCounted(db: Db, { id }: ImportRecord): Promise<boolean> {
  return (await findListOf(db, id))?.state === 'counted';
}

/** Reads the headers, names and sample by which a run's supplier is found. */
export async function readSampledList(
  db: Db,
  { filename, source_path }: ImportRecord,
  of: RunOfRows,
): Promise<SampledList> {
  const { headers } = await readParseRun(db, of);
  const rows = await readSampledRows(db, of, sampledRowsMax);
  return { layout: layoutOf(headers), filename, path: source_path, rows };
}
