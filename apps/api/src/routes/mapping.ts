import {
  changeMapping,
  detectField,
  getMapping,
  listFields,
  type MappingChanges,
} from '@draftshelf/contract/mapping';
import { readParseRun } from '@draftshelf/database/chunks/runs';
import { readConsistently } from '@draftshelf/database/connection/consistent-read';
import { readSampleCells } from '@draftshelf/database/rows/sample-cells';
import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { columnDetails } from '@draftshelf/domain/column-details';
import { beginReread, type RereadChanges } from '@draftshelf/imports/reread/begin-reread';
import type { ApiDatabases } from '../databases.ts';
import { conflict, invalid } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { findImportOr404, readJob } from './imports.ts';

/** How the columns of an import are mapped, changes of it, and the fields that there are. */
export function serveMapping(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, getMapping, ({ params }) =>
    readConsistently(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const { mapping } = await readParseRun(trx, record.id, record.rows_run);
      const details = columnDetails(mapping, await readSampleCells(trx, record));
      const columns = mapping.columns.map(({ header, field, confidence, reason, setBy = null }, index) => {
        const { samples = [], alternatives = [] } = details[index] ?? {};
        return { header, field, confidence, reason, setBy, samples, alternatives };
      });
      return { columns };
    }),
  );
  serve(api, changeMapping, async ({ params, body }) => {
    const record = await findImportOr404(db, params.id);
    const { headers } = await readParseRun(db, record.id, record.rows_run);
    const unknown = Object.keys(body).find((header) => !headers.includes(header));
    if (unknown !== undefined) throw invalid(`The file has no column “${unknown}”.`, unknown);
    const result = await changes.db
      .transaction()
      .execute((trx) => beginReread(trx, record.id, { mapping: overridesOf(body) }));
    if (!result.ok) throw conflict(result.reason);
    const message = 'Re-reading the file.';
    return { success: true as const, message, job: await readJob(db, result.import) };
  });
  serve(api, listFields, async () => fieldList);
}

function overridesOf(changes: MappingChanges): RereadChanges['mapping'] {
  return Object.fromEntries(
    Object.entries(changes).map(([header, field]) => [
      header,
      field === detectField ? undefined : { field, by: 'operator' as const },
    ]),
  );
}

/** Spellings in the specification's tables. Case, punctuation and '_' do not matter in a header. */
const specifiedSpellings: Partial<Record<CanonicalField, readonly string[]>> = {
  title: ['product_title', 'product_name'],
};

const fieldList = canonicalFields.map((field) => {
  const { label, required, aliases } = fieldSpecs[field];
  return { field, label, required, aliases: [...aliases, ...(specifiedSpellings[field] ?? [])] };
});
