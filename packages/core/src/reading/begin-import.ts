import type { AutoProcessMode } from '@draftshelf/domain/access/settings';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { selectListTables } from '@draftshelf/domain/reading/file-tables';
import { hasNoChoices, selectMemorableChoices } from '@draftshelf/domain/reading/mapping/mapping-memory';
import { sql } from 'kysely';
import { readSettings } from '../access/settings.ts';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { type ContainerPicture, insertFilePictures } from '../enrich/file-pictures.ts';
import { findSameFileImport } from '../imports/imports.ts';
import { recordEvent } from '../imports/record-event.ts';
import { endUpload } from '../imports/uploads.ts';
import { holdAutoPush, holdOlderVersions, type VersionOrigin } from '../push/auto-push.ts';
import { copyEdits } from '../review/commands/stored-edits.ts';
import { readUncarriedCommands } from '../suppliers/supplier-proposals.ts';
import { insertWorkChunks } from '../work/chunks.ts';
import { type ChosenSupplier, insertImport } from '../work/runs.ts';
import { enqueueTask } from '../work/tasks.ts';
import { storeFileTables } from './file-tables.ts';
import { recordMappingUse, rememberMapping } from './mappings.ts';
import { toChunkColumns } from './parse-chunks.ts';
import type { TakenFile } from './take-file.ts';

/** If `enableUpc` or `enableAi` is undefined, its setting applies. */
export type ImportOptions = {
  filename: string;
  testMode?: boolean;
  enableUpc?: boolean | undefined;
  enableAi?: boolean | undefined;
  /** The currency of the connected store. Null if it is not known. */
  currency?: string | null;
  chosen?: ChosenSupplier | undefined;
  changedAt?: Date | null;
  /** The watched folder or the address of the file. Absent if the file was uploaded. */
  origin?: FileOrigin;
};

/** `mode`: the setting Auto-processing Mode when the file was taken. */
export type FileOrigin = VersionOrigin & { mode: AutoProcessMode };

/** Inserts an import of a file from `takeFile`, with parse run, chunks and earlier edits. Call it in a transaction. */
export async function beginImport(db: Db, file: TakenFile, options: ImportOptions): Promise<ImportRecord> {
  if (!(await endUpload(db, file.objectKey))) {
    throw new Error('The upload took so long that its file may have been removed as left over');
  }
  const { dialect, headers, mapping, whole, test } = file.read;
  const { testMode = false } = options;
  const extent = testMode ? test : whole;
  const same = await findSameFileImport(db, file.sha256);
  const { upcLookup, aiValidation } = await readSettings(db);
  const { mappingOverrides } = file;
  const { currency = null, chosen, origin } = options;
  const parse = { dialect, headers, mapping, mappingOverrides, currency, chosen };
  const values = {
    filename: options.filename,
    file_bytes: file.fileBytes,
    sha256: file.sha256,
    object_key: file.objectKey,
    same_as: same?.id ?? null,
    same_filename: same?.filename ?? null,
    status: 'processing',
    test_mode: testMode,
    enable_upc: options.enableUpc ?? upcLookup,
    enable_ai: options.enableAi ?? aiValidation,
    open_chunks: extent.cuts.length,
    total_rows: extent.rows,
    total_products: extent.products,
    product_numbers: extent.productNumbers,
    started_at: sql<Date>`now()`,
    file_at: options.changedAt ?? null,
    ...(origin && {
      ...{ source: origin.source, source_path: origin.path, auto_mode: origin.mode },
      // Only folders bring many files at once, so only their lines in the activity are summed up later.
      summarized: origin.source === 'address',
    }),
  } as const;
  const record = await insertImport(db, values, parse);
  if (origin) await holdOlderVersions(db, record.id, origin);
  await keepContents(db, record, file.contents);
  await recordEvent(db, 'begun', record);
  await insertWorkChunks(
    db,
    { import_id: record.id, run: 1, stage: 'parse' },
    extent.cuts.map(toChunkColumns),
  );
  if (!testMode) await updateMemory(db, file, options.filename);
  if (same) await copyEdits(db, same.id, record.id, await readUncarriedCommands(db, same.id));
  return record;
}

/** Stores the tables and pictures of a file. Holds full auto if there are several lists: a person must choose one. */
async function keepContents(db: Db, record: ImportRecord, contents: TakenFile['contents']): Promise<void> {
  if (!contents) return;
  await storeFileTables(db, record.id, contents.tables, contents.picturesNotice);
  if (selectListTables(contents.tables).length > 1) await holdAutoPush(db, record.id, heldSentences.tables);
  await addFilePictures(db, record, contents.pictures);
}

async function updateMemory(
  db: Db,
  { read, mappingOverrides, recalled }: TakenFile,
  filename: string,
): Promise<void> {
  if (recalled) return recordMappingUse(db, recalled.fingerprint);
  if (hasNoChoices(selectMemorableChoices(read.headers, mappingOverrides))) return;
  await rememberMapping(db, { headers: read.headers, overrides: mappingOverrides, filename });
}

/** Stores the pictures of a new import's file and enqueues their task, in the transaction that inserts the import. */
export async function addFilePictures(
  db: Db,
  { id }: Pick<ImportRecord, 'id'>,
  pictures: readonly ContainerPicture[],
): Promise<void> {
  if (pictures.length === 0) return;
  await insertFilePictures(db, id, pictures);
  await enqueueTask(db, { import_id: id, run: 1 }, 'take-pictures');
}
