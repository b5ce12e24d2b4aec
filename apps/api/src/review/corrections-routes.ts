import * as contract from '@draftshelf/contract/review/corrections';
import { type Db, type OpenDatabase, readInSnapshot } from '@draftshelf/core/connection/database';
import type { CorrectionsRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { findCommand } from '@draftshelf/core/review/commands/edit-commands';
import { readLastEditId } from '@draftshelf/core/review/commands/stored-edits';
import * as corrections from '@draftshelf/core/review/corrections/apply-corrections';
import { listColumns, matchColumns, ownColumns } from '@draftshelf/core/review/corrections/columns';
import { readFirstLines, readLinePage } from '@draftshelf/core/review/corrections/correction-lines';
import { findCorrections, readEditedFields } from '@draftshelf/core/review/corrections/corrections';
import { hashFoundValues } from '@draftshelf/core/review/corrections/found-marks';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { findMatchingRows, type RowQuery } from '@draftshelf/core/review/search/row-page';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { hasTaskFailed } from '@draftshelf/core/work/tasks';
import { fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { type LineResult, lineResultSentences } from '@draftshelf/domain/review/corrections/line-kinds';
import { formatRowKey, importTag } from '@draftshelf/domain/review/corrections/row-key';
import { toCorrectionCell } from '@draftshelf/domain/review/corrections/shown-cells';
import { authorOf } from '../http/edit-author.ts';
import { conflict, notFound } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { requireUnchangedImport, serveCsv } from '../imports/serve-csv.ts';
import { serveImport } from '../imports/serve-import.ts';
import type { PictureHosts } from './read-rows.ts';
import { toEditRefusal } from './rows-routes.ts';
import { readShownRows } from './to-row.ts';

const examplesMax = 20;

export function serveCorrections(api: Api, { imageHosts }: PictureHosts): void {
  const { db, changes } = api;
  const findOr404 = async (importId: string, id: string) => {
    const found = await findCorrections(db, importId, id);
    if (!found) throw notFound('Corrections not found.');
    return found;
  };
  serveCsv(api, contract.getCorrections, 'corrections', ({ record, query }) => {
    if (record.rows_run === 0) throw conflict('The file is still being processed.');
    if (record.rows_removed_at !== null)
      throw conflict('The rows of this import were removed. Choose Read Again first.');
    return readCorrectionsFile(db, record, query, { imageHosts });
  });
  serveImport(api, contract.readCorrections, async ({ record, params }) =>
    toCorrections(db, record, await findOr404(record.id, params.corrections)),
  );
  serveImport(api, contract.applyCorrections, async ({ record, params, request, logSecurity }) => {
    await findOr404(record.id, params.corrections);
    const applied = await changes.db.transaction().execute(async (trx) => {
      const begun = await corrections.applyCorrections(trx, record.id, params.corrections, authorOf(request));
      if (!begun.ok) throw toEditRefusal(begun);
      const command = begun.command.id;
      return { success: true as const, message: 'The corrections are being applied.', command };
    });
    logSecurity('rows-changed', { importId: record.id, detail: 'Corrections' });
    return applied;
  });
  serveCsv(api, contract.getCorrectionsReport, 'report', async ({ record, params }) =>
    readReport(db, await findOr404(record.id, params.corrections)),
  );
}

async function toCorrections(
  db: Db,
  record: ImportRecord,
  found: CorrectionsRecord,
): Promise<contract.Corrections> {
  const { id, filename, command, source, counts } = found;
  const of = currentRows(record);
  const state = await stateOf(db, record, found);
  const { headers, mapping } = await readParseRun(db, of);
  return {
    ...{ id, filename, state, command, rows: counts.rows, lines: counts.lines },
    records: { compared: counts.records, total: source.records },
    fields: Object.entries(counts.fields).flatMap(([field, cells]) =>
      cells.changed > 0
        ? [{ field: field as contract.Corrections['fields'][number]['field'], ...cells }]
        : [],
    ),
    unused: Object.keys(counts.unused),
    unknown: matchColumns(source.headers, listColumns(headers, mapping)).unknown,
    examples: state === 'comparing' ? [] : await readFirstLines(db, found, examplesMax),
  };
}

async function stateOf(
  db: Db,
  record: ImportRecord,
  { state, run, at, object_key }: CorrectionsRecord,
): Promise<contract.Corrections['state']> {
  if (state === 'applied') return state;
  if (run !== record.rows_run) return 'outdated';
  if (object_key === null) return 'removed';
  const isDead =
    state === 'comparing' &&
    (at === null || (await hasTaskFailed(db, currentRows(record), 'compare-corrections')));
  return isDead ? 'failed' : state;
}

const recordsAtATime = 500;

const appliedWords = {
  changed: 'Changed.',
  undone: 'Changed, then undone.',
  left: 'Not changed: edited here in the meantime, or the change was stopped.',
};

async function* readReport(db: Db, found: CorrectionsRecord): AsyncGenerator<string[]> {
  const command = found.command === null ? undefined : await findCommand(db, found.import_id, found.command);
  const done = appliedWords[command?.state === 'undone' ? 'undone' : 'changed'];
  const resultOf = (kind: LineResult, isLeft: boolean) => {
    if (kind !== 'change' || command === undefined) return lineResultSentences[kind];
    return isLeft ? appliedWords.left : done;
  };
  yield ['Line of the file', 'Row', 'Field', 'Result', 'In the download', 'Here', 'In the file'];
  for (let after = 0; ; ) {
    const lines = await readLinePage(db, found, { after, records: recordsAtATime });
    for (const { line, row, field, kind, before, now, after: value, is_left } of lines) {
      const label = field === null ? '' : fieldSpecs[field].label;
      const result = resultOf(kind, is_left);
      yield [String(line), String(row ?? ''), label, result, before ?? '', now ?? '', value ?? ''];
    }
    const last = lines.at(-1);
    if (!last) return;
    after = last.line;
  }
}

const rowsAtATime = 200;

// Yields CSV records. Each row's key includes the last edit. Throws if the import is re-read or deleted meanwhile.
async function* readCorrectionsFile(
  db: OpenDatabase['db'],
  record: ImportRecord,
  query: Omit<RowQuery, 'limit'>,
  shown: PictureHosts,
): AsyncGenerator<string[]> {
  const of = currentRows(record);
  const run = await readParseRun(db, of);
  const { headers, mapping } = run;
  const edited = await readEditedFields(db, record.id);
  const columns = listColumns(headers, mapping).filter(
    ({ at, field }) => at !== null || (field !== null && edited.has(field)),
  );
  yield [...ownColumns, ...columns.map(({ name }) => name)];
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const part = await readInSnapshot(db, async (trx) => {
      await requireUnchangedImport(trx, record, 'corrections', ['rows_run']);
      const found = await findMatchingRows(trx, record, query, { after: from, limit: rowsAtATime });
      const rows = (await readRowsByNumber(trx, of, found.rows)).filter(
        ({ ignored, isDamaged }) => ignored === null && !isDamaged,
      );
      const edit = await readLastEditId(trx, record.id);
      const texts = await readShownRows(trx, record, rows, shown, run);
      const problems = new Map(texts.map(({ row, issues }) => [row, issues.map(({ message }) => message)]));
      return { next: found.next, rows, edit, problems };
    });
    const { edit } = part;
    for (const row of part.rows) {
      const place = { tag: importTag(record.id), row: row.row, place: row.byte_from, run: of.run };
      yield [
        formatRowKey({ ...place, edit, found: hashFoundValues(row) }),
        String(row.row),
        (part.problems.get(row.row) ?? []).join('; '),
        ...columns.map((column) => toCorrectionCell(row, column, mapping)),
      ];
    }
    after = part.next;
  }
}
