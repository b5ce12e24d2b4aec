import * as contract from '@draftshelf/contract/reading/mapping';
import { detectFieldValue } from '@draftshelf/contract/wire';
import { readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { listDefinitions, refreshDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import * as reread from '@draftshelf/core/reading/begin-reread';
import * as mappings from '@draftshelf/core/reading/mappings';
import { readSampleCells } from '@draftshelf/core/review/row-samples';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import {
  describeType,
  fieldOfMetafield,
  isMappable,
  isMetafieldField,
  metafieldName,
  metafieldTypeOf,
  reservedNamespacePattern,
} from '@draftshelf/domain/base/metafields';
import { describeColumns } from '@draftshelf/domain/reading/column-details';
import { aliasesOf } from '@draftshelf/domain/reading/mapping/known-names';
import { overridesFromChoices, toColumnChoices } from '@draftshelf/domain/reading/mapping/mapping-memory';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import type { StoreConnection } from '../access/store-connection.ts';
import type { StoreReads } from '../access/store-reads.ts';
import { runChange } from '../http/databases.ts';
import { invalid, notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { createJobReply, findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';

const definitionsMsMax = 1500;

type Deps = { store: StoreConnection; storeReads: StoreReads };

export function serveMapping(api: Api, { store, storeReads }: Deps): void {
  const { db, changes } = api;
  const readStoresDefinitions = async () => {
    const read = await storeReads.definitions();
    if (read !== null) await refreshDefinitions(changes.db, read.shop, read.definitions);
  };
  serve(api, contract.getMapping, async ({ params, query }) => {
    if (query.fresh)
      await callWithTimeout(definitionsMsMax, 'The store', readStoresDefinitions).catch(() => {});
    return readInSnapshot(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const { mapping } = await readParseRun(trx, currentRows(record));
      const definitions = (await listDefinitions(trx)).filter(isMappable);
      const sample = await readSampleCells(trx, currentRows(record));
      const details = describeColumns(mapping, sample, definitions);
      const columns = mapping.columns.map(({ index, setBy = null, rememberedFrom = null, ...column }) => {
        const { samples = [], alternatives = [], profile = null } = details[index] ?? {};
        return { ...column, setBy, rememberedFrom, samples, alternatives, profile };
      });
      return { columns };
    });
  });
  const change = async (record: ImportRecord, mapping: NonNullable<reread.RereadChanges['mapping']>) => {
    const { headers } = await readParseRun(db, currentRows(record));
    const unknown = Object.keys(mapping).find((header) => !headers.includes(header));
    if (unknown !== undefined) throw invalid(`The file has no column “${unknown}”.`, unknown);
    const targets = Object.values(mapping).flatMap((one) => one?.field ?? []);
    const mappable = new Set((await listDefinitions(db)).filter(isMappable).map(fieldOfMetafield));
    const absent = targets.filter(isMetafieldField).find((field) => !mappable.has(field));
    if (absent !== undefined)
      throw invalid(`The store has no metafield “${absent.slice(2)}” to write to.`, absent);
    const currency = await store.currency();
    const begun = await runChange(api, (trx) => reread.changeMapping(trx, record.id, { mapping, currency }));
    return createJobReply(db, 'Re-reading the file.', begun.import);
  };
  serveImport(api, contract.changeMapping, ({ record, body }) => change(record, toMappingOverrides(body)));
  serveImport(api, contract.answerReadings, ({ record, body }) =>
    change(record, overridesFromChoices({ columns: {}, readings: body }, { by: 'operator' })),
  );
  serve(api, contract.listFields, async () => fieldList);
  serve(api, contract.listMetafields, async () => {
    await readStoresDefinitions();
    const all = await listDefinitions(db);
    const shown = all.filter(isMappable).map((one) => ({
      ...{ field: fieldOfMetafield(one), name: one.name, key: metafieldName(one) },
      ...{ description: one.description, type: describeType(one) },
    }));
    const left = all.filter(
      (one) => metafieldTypeOf(one) === null && !reservedNamespacePattern.test(one.namespace),
    );
    return { metafields: shown, left: left.filter(({ type }) => type !== 'id').length };
  });
}

export function serveMappings(api: Api): void {
  const { db, changes } = api;
  serve(api, contract.listMappings, async () =>
    (await mappings.listMappings(db)).map((mapping) => ({
      ...mappingFields(mapping),
      headers: mapping.headers.length,
    })),
  );
  serve(api, contract.forgetMapping, async ({ params }) => {
    const forgotten = await mappings.deleteMapping(changes.db, params.fingerprint);
    if (!forgotten) throw notFound('This mapping is not remembered.');
    return { success: true as const, message: 'Mapping forgotten.' };
  });
  serve(api, contract.recallMapping, async ({ body }) => {
    const recalled = await mappings.recallMapping(db, body.headers);
    if (!recalled) return { mapping: null };
    const { fingerprint, filename, overrides } = recalled;
    return { mapping: { fingerprint, filename, ...toColumnChoices(overrides) } };
  });
}

const mappingFields = createWireMapper(contract.RememberedMapping);

export function toMappingOverrides(
  changes: contract.MappingChanges,
): NonNullable<reread.RereadChanges['mapping']> {
  return Object.fromEntries(
    Object.entries(changes).map(([header, field]) => [
      header,
      field === detectFieldValue ? undefined : { field, by: 'operator' as const },
    ]),
  );
}

/** Header spellings in addition to the domain's aliases. Case, punctuation and '_' do not matter in a header. */
const specifiedSpellings: Partial<Record<CanonicalField, readonly string[]>> = {
  title: ['product_title', 'product_name'],
};

const fieldList = canonicalFields.map((field) => {
  const { label, required } = fieldSpecs[field];
  return { field, label, required, aliases: [...aliasesOf(field), ...(specifiedSpellings[field] ?? [])] };
});
