import { matchChoices } from '@draftshelf/domain/access/preferences';
import { autoProcessModes } from '@draftshelf/domain/access/settings';
import { importSources } from '@draftshelf/domain/imports/import-sources';
import { stages } from '@draftshelf/domain/imports/stages';
import { paceStates } from '@draftshelf/domain/work/pace';
import { z } from 'zod';
import { route } from '../route.ts';
import { BeforePush } from './before-push.ts';
import { Enrichment } from './enrichment.ts';
import { List, SupplierName } from './list.ts';

/** An import's id. It may be any text: an invalid id is an unknown import (404), not an error of the server. */
export const ImportParams = z.object({ id: z.string() });

const Timestamp = z.iso.datetime();

/** The parts of a dialect that screens show. */
export const ShownDialect = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  quote: z.string(),
  headerRecord: z.number().int(),
  /** The rows of a sheet that its first records are. Absent: no row among them is blank. */
  sheetRows: z.array(z.number().int()).readonly().optional(),
  /** The table in a workbook or archive; null: the file itself is the list. */
  table: z.object({ name: z.string(), kind: z.enum(['sheet', 'file']) }).nullable(),
});

/** How the running or paused stage of an import gets on: in products of a push, else in rows. */
export const Pace = z.object({
  stage: z.enum(stages),
  state: z.enum(paceStates),
  done: z.number().int(),
  total: z.number().int(),
  /** Products or rows per second; null if not known. */
  perSecond: z.number().nullable(),
  /** When the last product or row is expected to be done, rounded; null if not known. */
  readyAt: Timestamp.nullable(),
  /** Other imports that share the rate. */
  sharedWith: z.number().int(),
  /** Since when nothing is recorded; null unless the state is stalled. */
  stalledSince: Timestamp.nullable(),
});
export type Pace = z.infer<typeof Pace>;

/** An import in the shape of the specification's job, without rows. */
export const Job = z.object({
  id: z.uuid(),
  filename: z.string(),
  fileSize: z.number().int(),
  /** An import status. It is a string, so that the page can show an unknown status of a newer server. */
  status: z.string(),
  pausedFrom: z.string().nullable(),
  pausedBy: z.enum(['operator', 'store']).nullable(),
  failedIn: z.enum(stages).nullable(),
  /** A push of it is being undone: its status is that of a push, and `progress` counts products that are undone. */
  isUndoing: z.boolean(),
  /** Its push run changes products that it no longer lists. */
  changesGone: z.boolean(),
  progress: z.number().int().min(0).max(100),
  progressPercentage: z.number().int().min(0).max(100),
  processedProducts: z.number().int(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  validProducts: z.number().int(),
  warningProducts: z.number().int(),
  errorProducts: z.number().int(),
  /** created + updated + unchanged of the last push. Screens count unchanged products apart from uploaded ones. */
  createdProducts: z.number().int(),
  outcomes: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
  }),
  /** Of the skipped products of the last push, those that the store already had under another id. */
  inStore: z.number().int(),
  /** Products that got a found value since the last push began. */
  foundSincePush: z.number().int(),
  testMode: z.boolean(),
  /** The myshopify domain of the store that the import was last pushed to; null before the first push. */
  shop: z.string().nullable(),
  /** A sentence that says what the import waits for; null if it does not wait. */
  waitingFor: z.string().nullable(),
  /** When the waiting import resumes. */
  waitingUntil: Timestamp.nullable(),
  /** Null if no stage runs or is paused, and in the replies of actions. */
  pace: Pace.nullable(),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  /** The first 100 messages; in the queue list the first 3. `errorCount` is the full number. */
  errorLog: z.array(z.string()),
  errorCount: z.number().int(),
  errorMessage: z.string().nullable(),
  /** Canonical field → the header of its first column, or null. */
  fieldMapping: z.record(z.string(), z.string().nullable()),
  /** How the current rows are read; null until the file has been read. */
  dialect: ShownDialect.nullable(),
  /** The dialect of a running re-read, or null. Until the re-read ends, the rows are those of `dialect`. */
  rereading: ShownDialect.nullable(),
  /** The number of edits that are kept although no current row matches them. */
  editsWithoutRow: z.number().int(),
  /** The earlier import of the same file content; null if there was none, or if it was deleted. */
  sameAs: z.uuid().nullable(),
  /** The name of that file, also if its import was deleted; null if it is not known. */
  sameFilename: z.string().nullable(),
  /** Who brought the file: an upload, or a watched folder. */
  source: z.enum(importSources),
  /** The file's path in the watched folder; null for an upload. */
  sourceRef: z.string().nullable(),
  /** What is stored of its reading cannot be shown; `errorMessage` says so. Its counts and status are true. */
  isUnreadable: z.boolean(),
  /**
   * The currencies that amounts of the rows name beside the store's, and what the operator has answered; null if all
   * are in the store's currency, or that is not known. `rows`: those that are asked about, if they are less than half
   * of the priced ones; null: the whole list is.
   */
  otherCurrency: z
    .object({
      named: z.array(z.string()),
      store: z.string(),
      answer: z.enum(['send', 'hold']).nullable(),
      rows: z.number().int().nullable(),
    })
    .nullable(),
  /** Columns that can be read in several ways, about which the operator has not been asked or not answered. */
  columnQuestions: z.number().int(),
  /** It waits for its first push, which asks whether what was done to earlier lists is done to it. */
  asksRecipes: z.boolean(),
  /** The setting Auto-processing Mode when the file arrived in a watched folder; null for an upload. */
  autoMode: z.enum(autoProcessModes).nullable(),
  /** When full-auto pushes the import of a watched folder; null if it does not. */
  autoPushAt: Timestamp.nullable(),
  /** Why full-auto leaves the import to a person, as a sentence, or null. */
  autoHeld: z.string().nullable(),
  /** When the failed import is retried by itself; null if it is not. */
  nextRetryAt: Timestamp.nullable(),
  /** How often the failed import was retried by itself. */
  autoRetries: z.number().int().min(0),
  /** When retention removed the rows, or the file; null: they are there. */
  rowsRemovedAt: Timestamp.nullable(),
  fileRemovedAt: Timestamp.nullable(),
  /** A task removes its parts; then the import is gone. */
  isBeingDeleted: z.boolean(),
  /** Whose list it is, where screens name suppliers; null too in the replies of actions. */
  supplier: SupplierName.nullable(),
});
export type Job = z.infer<typeof Job>;

/** Background work on an import outside its stages, open or failed. */
const Task = z.object({
  id: z.number().int(),
  label: z.string(),
  state: z.enum(['waiting', 'running', 'failed']),
  /** It has processed this many of its `total` rows; null: their number is not known. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** The command that it applies or undoes, or null. Such a task can be stopped by an undo of the command. */
  command: z.uuid().nullable(),
  /** A sentence that says what it waits for, or null. */
  waitingFor: z.string().nullable(),
  /** The cause of the failure, or null. */
  error: z.string().nullable(),
});
export type Task = z.infer<typeof Task>;

/**
 * A job with its first rows: by the original headers (csvData) and by the specification's row keys (processedData).
 * Each list holds at most 1,000 rows and 2 MB of JSON. Both are absent with `?rows=0`, which the screens poll.
 */
export const JobWithRows = Job.extend({
  csvData: z.array(z.record(z.string(), z.string())).optional(),
  processedData: z.array(z.record(z.string(), z.string())).optional(),
  /** The number of rows that the import has, or will have once its file has been read. */
  csvDataTotal: z.number().int(),
  /** Whether any rows can be read now. */
  hasRows: z.boolean(),
  tasks: z.array(Task),
  /** Look-ups by UPC; absent if the products are not looked up. */
  enrichment: Enrichment.optional(),
  /** What to know before a push; null while none is allowed. */
  beforePush: BeforePush.nullable(),
  /** The pictures of its archive or workbook. */
  pictures: z.number().int(),
  /** Open proposals of its rows. At most 10,000 are counted. */
  proposals: z.number().int(),
  /** The highest id of them, null for none. One that is higher later was added since. */
  newestProposal: z.number().int().nullable(),
  /** How many columns have a field that was set for this file, or remembered from an earlier file (`from`). */
  mappingSet: z.object({
    byOperator: z.number().int(),
    byMemory: z.number().int(),
    from: z.string().nullable(),
  }),
  /** Products without an outcome, because the last push was undone. */
  undone: z.number().int(),
  /** The import as a version of its supplier's list; null before it has been read, and for a test. */
  list: List.nullable(),
});
export type JobWithRows = z.infer<typeof JobWithRows>;

/** A cursor of a list: microseconds since 1970 and an id. Clients treat it as opaque. */
export const listCursor = /^\d{1,16}_[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * The queue list, newest first: the newest 500 imports that have not ended and the newest 200 that have. `before` pages
 * through the others, 200 at a time; its value is the `X-Next-Before` of the previous reply.
 */
export const listImports = route('listImports', {
  query: z.object({ before: z.string().regex(listCursor).optional() }),
  reply: z.array(Job),
});

/** `wait=1`: the reply may be held for up to 1.8 s, until the import has left `processing`. */
const JobQuery = z.object({ rows: z.literal('0').optional(), wait: z.literal('1').optional() });

export const getImport = route('getImport', {
  params: ImportParams,
  query: JobQuery,
  reply: z.object({ success: z.literal(true), job: JobWithRows }),
});

export const getJob = route('getJob', {
  params: ImportParams,
  query: JobQuery,
  reply: JobWithRows,
});

/** The reply of every action that changes an import's status. */
export const Moved = z.object({ success: z.literal(true), message: z.string(), job: Job });

export const pauseImport = route('pauseImport', {
  aliases: ['/api/jobs/:id/pause'],
  params: ImportParams,
  reply: Moved,
});

export const resumeImport = route('resumeImport', {
  aliases: ['/api/jobs/:id/resume'],
  params: ImportParams,
  reply: Moved,
});

/**
 * Cancels an import for good. During a re-read it cancels only the re-read, and the import returns to its state before.
 * `only: 'reread'`: cancel the re-read or nothing; 409 if the re-read has ended.
 */
export const cancelImport = route('cancelImport', {
  aliases: ['/api/jobs/:id/cancel'],
  params: ImportParams,
  body: z.object({ only: z.literal('reread').optional() }).nullish(),
  reply: Moved,
});

export const markImportReady = route('markImportReady', {
  aliases: ['/api/jobs/:id/ready'],
  params: ImportParams,
  reply: Moved,
});

/**
 * `whenInStore`: what this push does with products that the store has under another id; by default the preference.
 * `readings`: columns that can be read in two ways are sent as they are shown. `recipes`: what was done to earlier
 * lists is not done to this one. `supplier`: it is pushed as nobody's list. Else a push is refused while that is asked.
 */
export const pushImport = route('pushImport', {
  aliases: ['/api/jobs/:id/push-shopify', '/api/jobs/:id/push-to-shopify'],
  params: ImportParams,
  body: z
    .object({
      whenInStore: z.enum(matchChoices).optional(),
      recipes: z.literal('skip').optional(),
      readings: z.literal('as-read').optional(),
      supplier: z.null().optional(),
    })
    .nullish(),
  reply: Moved,
});

/**
 * The operator's answer about amounts in another currency than the store's: 'send' pushes them as they are, without
 * conversion; 'hold' keeps screens from pushing the import. 409 if there is nothing to answer.
 */
export const answerOtherCurrency = route('answerOtherCurrency', {
  params: ImportParams,
  body: z.object({ answer: z.enum(['send', 'hold']) }),
  reply: Moved,
});

/** Begins the planned push of full-auto at once, or stops it for good. 409 if none is planned. */
export const answerAutoPush = route('answerAutoPush', {
  params: ImportParams,
  body: z.strictObject({ action: z.enum(['now', 'stop']) }),
  reply: Moved,
});

/** Ends the automatic retries of a failed import. 409 if none is due. */
export const stopAutoRetry = route('stopAutoRetry', {
  params: ImportParams,
  reply: Moved,
});

export const retryImport = route('retryImport', {
  aliases: ['/api/queue/:id/retry'],
  params: ImportParams,
  reply: Moved,
});

/** Re-reads the stored file as it was read before, for rows that retention removed. */
export const readAgain = route('readAgain', {
  params: ImportParams,
  reply: Moved,
});

/** Begins to delete an import; it is gone a little later. 409 while it is processed, changed or pushed. */
export const deleteImport = route('deleteImport', {
  action: 'delete',
  params: ImportParams,
  reply: Moved,
});
