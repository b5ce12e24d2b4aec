import type { Socket } from 'node:net';
import { uploadCsv } from '@draftshelf/contract/upload';
import { insertWorkChunks } from '@draftshelf/database/chunks/chunks';
import { insertParseRun } from '@draftshelf/database/chunks/runs';
import { isDatabaseUnavailable, type OpenDatabase } from '@draftshelf/database/connection/database';
import { findSame, insertImport } from '@draftshelf/database/imports/imports';
import { chunkOf } from '@draftshelf/database/parse/parse-chunks';
import { copyEdits } from '@draftshelf/database/rows/stored-edits';
import type { ImportRecord } from '@draftshelf/database/schema';
import { readSettings } from '@draftshelf/database/settings';
import type { Settings } from '@draftshelf/domain/settings';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import multipart from '@fastify/multipart';
import { discard, type ReceivedUpload, receiveCsv, type UploadLimits } from '../receive-csv.ts';
import { Refusal } from '../refusal.ts';
import { type Api, type Call, serve } from '../serve.ts';

type Deps = { intake: OpenDatabase; storage: ObjectStorage; limits: UploadLimits };

/** An upload has only a few short text fields. */
const multipartLimits = { fields: 20, fieldNameSize: 100, fieldSize: 10_000, files: 10, parts: 30 };

/**
 * POST /api/upload stores the file, then inserts the import and its chunks in one transaction. Multipart is registered
 * for this route only, because its hooks run for every request in their context and polls do not need them.
 */
export async function serveUpload({ app, ...api }: Api, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    // receive-csv.ts enforces the file size: it reads the request to its end and replies 413.
    await scope.register(multipart, {
      limits: { ...multipartLimits, fileSize: Number.POSITIVE_INFINITY },
      throwFileSizeLimit: false,
    });
    serve({ ...api, app: scope }, uploadCsv, handleUpload(deps));
  });
}

const handleUpload =
  (deps: Deps) =>
  async ({ request }: Call<typeof uploadCsv>) => {
    const upload = await receiveCsv(request, deps);
    try {
      const record = await beginImport(deps.intake, upload, request.raw.socket);
      return {
        id: record.id,
        totalProducts: record.total_products,
        totalRows: record.total_rows,
        testMode: record.test_mode,
        sameAs: record.same_as,
      };
    } catch (error) {
      // The commit may have succeeded although its reply was lost, so keep the file. The sweep removes unused files.
      if (!isDatabaseUnavailable(error)) await discard(upload.file, deps);
      throw error;
    }
  };

function beginImport(
  database: OpenDatabase,
  { file, fields }: ReceivedUpload,
  socket: Socket,
): Promise<ImportRecord> {
  const testMode = fields.get('testMode') === 'true';
  const { dialect, headers, mapping } = file.read;
  const extent = testMode ? file.read.test : file.read.whole;
  return database.db.transaction().execute(async (db) => {
    const same = await findSame(db, file.sha256);
    const record = await insertImport(db, {
      filename: file.filename,
      file_bytes: file.fileBytes,
      sha256: file.sha256,
      object_key: file.objectKey,
      same_as: same?.id ?? null,
      status: 'processing',
      failed_in: null,
      paused_from: null,
      paused_by: null,
      test_mode: testMode,
      ...switches(fields, await readSettings(db)),
      open_chunks: extent.cuts.length,
      total_rows: extent.rows,
      total_products: extent.products,
      product_numbers: extent.products,
      waiting_for: null,
      error_message: null,
      started_at: new Date(),
    });
    await insertParseRun(db, record.id, 1, { dialect, headers, mapping });
    const run = { import_id: record.id, stage: 'parse' as const, run: 1 };
    await insertWorkChunks(db, run, extent.cuts.map(chunkOf));
    if (same) await copyEdits(db, same.id, record.id);
    // The screen promises that a cancelled upload leaves nothing on the server.
    if (!socket.writable) throw new Refusal(400, { code: 'malformed', message: 'The upload was cancelled.' });
    return record;
  });
}

/** The upload's own switches, else the settings. They are strings, and the string 'false' is truthy. */
function switches(fields: ReadonlyMap<string, string>, settings: Settings) {
  const enableUpc = fields.get('enableUPC');
  const enableAi = fields.get('enableAI');
  return {
    enable_upc: enableUpc === undefined ? settings.upcLookup : enableUpc === 'true',
    enable_ai: enableAi === undefined ? settings.aiValidation : enableAi === 'true',
  };
}
