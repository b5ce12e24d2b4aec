import { type EarlierImport, findEarlierImport, uploadCsv } from '@draftshelf/contract/reading/upload';
import { EnteredSupplierName, SupplierParams } from '@draftshelf/contract/suppliers/suppliers';
import * as contract from '@draftshelf/contract/wire';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport, findSameFileImport } from '@draftshelf/core/imports/imports';
import { beginImport } from '@draftshelf/core/reading/begin-import';
import { recallMapping } from '@draftshelf/core/reading/mappings';
import { discardOnError } from '@draftshelf/core/reading/take-file';
import { countCopiedEdits } from '@draftshelf/core/review/commands/stored-edits';
import { findSupplier } from '@draftshelf/core/suppliers/suppliers';
import type { ChosenSupplier } from '@draftshelf/core/work/runs';
import multipart from '@fastify/multipart';
import { z } from 'zod';
import type { StoreConnection } from '../access/store-connection.ts';
import type { BodyPace } from '../http/body-pace.ts';
import type { BodyTimeLimit } from '../http/body-time.ts';
import { invalid } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { serveCorrectionsUpload } from './corrections-upload-routes.ts';
import { type IntakeDeps, receiveCsv } from './receive-csv.ts';
import { createReceiveQueue, type ReceivingSignals, uploadCancelledRefusal } from './receive-in-turn.ts';

type Deps = IntakeDeps & { store: StoreConnection; bodyTime: BodyTimeLimit; bodyPace: BodyPace };

/** The longest field is the mapping of a file with 2,000 columns. */
const multipartLimits = { fields: 20, fieldNameSize: 100, fieldSize: 1_000_000, files: 10, parts: 30 };

// Uploads have a context of their own, because multipart hooks run for all requests of a context, also for polls.
export async function serveUpload({ app, ...api }: Api, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    // Runs after the guard, so that only clients with a session get more time.
    scope.addHook('onRequest', async (request) => deps.bodyTime.extend(request));
    // receive-csv.ts limits the file's size instead: it reads the request to its end and replies 413.
    await scope.register(multipart, {
      limits: { ...multipartLimits, fileSize: Number.POSITIVE_INFINITY },
      throwFileSizeLimit: false,
    });
    const inTurn = createReceiveQueue(scope, deps.bodyPace);
    serve({ ...api, app: scope }, uploadCsv, (call) =>
      inTurn(call, (ends) => receiveUpload({ ...deps, ...ends }, call)),
    );
    serveCorrectionsUpload({ ...api, app: scope }, { ...deps, inTurn });
  });
}

async function receiveUpload(deps: Deps & ReceivingSignals, { request }: Call<typeof uploadCsv>) {
  const recall = (headers: string[]) => recallMapping(deps.intake.db, headers);
  const { file, filename, fields } = await receiveCsv(request, { ...deps, recall });
  return discardOnError(file, deps.storage, async () => {
    const currency = await deps.store.currency();
    const record = await deps.intake.db.transaction().execute(async (trx) => {
      const begun = await beginImport(trx, file, {
        filename,
        chosen: await chosenSupplier(trx, fields),
        changedAt: fileDate(fields),
        testMode: fields.get('testMode') === 'true',
        enableUpc: switchOf(fields.get('enableUPC')),
        enableAi: switchOf(fields.get('enableAI')),
        currency,
      });
      // The screen promises that a cancelled upload leaves nothing on the server.
      if (!request.raw.socket.writable) throw uploadCancelledRefusal();
      return begun;
    });
    const { read, contents } = file;
    const { table } = read.dialect;
    const { total_rows: rows, total_products: products, file_bytes: bytes } = record;
    request.log.info({ importId: record.id, bytes, rows, products, reqId: request.id }, 'import received');
    return {
      id: record.id,
      ...{ totalProducts: products, totalRows: rows },
      testMode: record.test_mode,
      sameAs: record.same_as,
      table: table && contents ? { name: table.name, others: contents.tables.length - 1 } : null,
    };
  });
}

/** Converts a switch that was sent as text to a boolean: the text 'false' would be truthy. */
const switchOf = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true';

type Fields = ReadonlyMap<string, string>;

async function chosenSupplier(db: Db, fields: Fields): Promise<ChosenSupplier | undefined> {
  const text = fields.get(contract.uploadSupplierField);
  if (text === undefined) return undefined;
  if (text === '') return { supplier: null };
  if (text === contract.newSupplier) return { name: newName(fields) };
  const id = SupplierParams.shape.id.safeParse(text);
  if (id.success && (await findSupplier(db, { id: id.data }))) return { supplier: id.data };
  throw invalid('This supplier doesn’t exist.', contract.uploadSupplierField);
}

/** Returns the entered name of a new supplier. '' if the supplier is to be named after its list. */
function newName(fields: Fields): string {
  const text = fields.get(contract.uploadSupplierNameField) ?? '';
  if (text.trim() === '') return '';
  const name = EnteredSupplierName.safeParse(text);
  if (!name.success)
    throw invalid('This name isn’t supported. Use at most 100 characters.', contract.uploadSupplierNameField);
  return name.data;
}

function fileDate(fields: Fields): Date | null {
  const text = fields.get(contract.uploadFileDateField);
  if (text === undefined) return null;
  const date = z.iso.datetime({ offset: true }).safeParse(text);
  if (!date.success) throw invalid('The file’s date isn’t in ISO 8601 format.', contract.uploadFileDateField);
  return new Date(date.data);
}

export function serveEarlierImport(api: Api): void {
  const { db } = api;
  serve(api, findEarlierImport, async ({ query }) => {
    const same = await findSameFileImport(db, query.sha256);
    const record = same && (await findImport(db, same.id));
    if (!record) return { earlier: null };
    const { id, filename, source, created_at } = record;
    const edits = await countCopiedEdits(db, id);
    const createdAt = created_at.toISOString();
    return { earlier: { id, filename, source, edits, createdAt, classes: classesOf(record) } };
  });
}

function classesOf(record: ImportRecord): EarlierImport['classes'] {
  const isReading = record.status === 'processing' || record.paused_from === 'processing';
  if (record.test_mode || isReading || record.rows_run === 0) return null;
  return {
    products: record.total_products,
    valid: record.valid_products,
    warnings: record.warning_products,
    errors: record.error_products,
  };
}
