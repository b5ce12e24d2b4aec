import { matchChoices } from '@draftshelf/domain/access/preferences';
import { autoProcessModes } from '@draftshelf/domain/access/settings';
import { importSources } from '@draftshelf/domain/imports/import-sources';
import { stages } from '@draftshelf/domain/imports/stages';
import { paceStates } from '@draftshelf/domain/work/pace';
import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply, Timestamp } from '../values.ts';
import { PrePushFacts } from './before-push.ts';
import { Enrichment } from './enrichment.ts';
import { NamedSupplier, SupplierList } from './list.ts';

export const ShownDialect = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  quote: z.string(),
  headerRecord: z.number().int(),
  /** Row numbers of the first records in the sheet. Absent if the sheet has no blank rows before or among them. */
  sheetRows: z.array(z.number().int()).readonly().optional(),
  /** Null if the file itself is the list. */
  table: z.object({ name: z.string(), kind: z.enum(['sheet', 'file']) }).nullable(),
});

/** The progress of a stage, in products during a push, else in rows. */
export const Pace = z.object({
  stage: z.enum(stages),
  state: z.enum(paceStates),
  done: z.number().int(),
  total: z.number().int(),
  perSecond: z.number().nullable(),
  readyAt: Timestamp.nullable(),
  sharedWith: z.number().int(),
  stalledSince: Timestamp.nullable(),
});
export type Pace = z.infer<typeof Pace>;

/** An import as clients see it. */
export const Job = z.object({
  id: z.uuid(),
  filename: z.string(),
  fileSize: z.number().int(),
  /** A string, so that an older page can show a status that a newer server added. */
  status: z.string(),
  pausedFrom: z.string().nullable(),
  pausedBy: z.enum(['operator', 'store']).nullable(),
  failedIn: z.enum(stages).nullable(),
  /** Whether a push is being undone. Meanwhile, `status` is that of a push, and `progress` counts undone products. */
  isUndoing: z.boolean(),
  changesGone: z.boolean(),
  progress: z.number().int().min(0).max(100),
  progressPercentage: z.number().int().min(0).max(100),
  processedProducts: z.number().int(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  validProducts: z.number().int(),
  warningProducts: z.number().int(),
  errorProducts: z.number().int(),
  /** Number of products that the last push created, updated or found unchanged. */
  createdProducts: z.number().int(),
  outcomes: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
  }),
  /** Number of skipped products that the store has under another id. */
  inStore: z.number().int(),
  foundSincePush: z.number().int(),
  /** URL of the last push's drafts in the store's admin. Null if there are none, or while the push runs. */
  draftsUrl: z.string().nullable(),
  testMode: z.boolean(),
  shop: z.string().nullable(),
  waitingFor: z.string().nullable(),
  waitingUntil: Timestamp.nullable(),
  /** Null unless a stage runs or is paused. Always null in replies to actions. */
  pace: Pace.nullable(),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  /** The first 100 messages, or the first 3 in the queue list. `errorCount` counts all messages. */
  errorLog: z.array(z.string()),
  errorCount: z.number().int(),
  errorMessage: z.string().nullable(),
  fieldMapping: z.record(z.string(), z.string().nullable()),
  dialect: ShownDialect.nullable(),
  /** The new dialect while a re-read runs, else null. Until the re-read ends, the rows are read with `dialect`. */
  rereading: ShownDialect.nullable(),
  editsWithoutRow: z.number().int(),
  /** The earlier import of a file with the same content. Null if no such import exists, or if it was deleted. */
  sameAs: z.uuid().nullable(),
  /** Filename of the earlier import, even if that import was deleted. */
  sameFilename: z.string().nullable(),
  source: z.enum(importSources),
  sourceRef: z.string().nullable(),
  /** True if the import's stored data is damaged. Only its counts and status are then correct. */
  isUnreadable: z.boolean(),
  /** Currencies other than the store's. `rows`: rows in these currencies, or null if at least half of all rows are. */
  otherCurrency: z
    .object({
      named: z.array(z.string()),
      store: z.string(),
      answer: z.enum(['send', 'hold']).nullable(),
      rows: z.number().int().nullable(),
    })
    .nullable(),
  columnQuestions: z.number().int(),
  asksRecipes: z.boolean(),
  autoMode: z.enum(autoProcessModes).nullable(),
  autoPushAt: Timestamp.nullable(),
  autoHeld: z.string().nullable(),
  nextRetryAt: Timestamp.nullable(),
  autoRetries: z.number().int().min(0),
  rowsRemovedAt: Timestamp.nullable(),
  fileRemovedAt: Timestamp.nullable(),
  isBeingDeleted: z.boolean(),
  /** Null if unknown. Always null in replies to actions. */
  supplier: NamedSupplier.nullable(),
});
export type Job = z.infer<typeof Job>;

const Task = z.object({
  id: z.number().int(),
  label: z.string(),
  state: z.enum(['waiting', 'running', 'failed']),
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** The command that the task applies or undoes, if any. Undoing the command stops the task. */
  command: z.uuid().nullable(),
  waitingFor: z.string().nullable(),
  error: z.string().nullable(),
});
export type Task = z.infer<typeof Task>;

/** A job with its first rows, at most 1,000 and 2 MB. Screens poll with `?rows=0`, which leaves the rows out. */
export const JobWithRows = Job.extend({
  csvData: z.array(z.record(z.string(), z.string())).optional(),
  processedData: z.array(z.record(z.string(), z.string())).optional(),
  /** Number of rows of the import. While its file is read, the number that it will have. */
  csvDataTotal: z.number().int(),
  hasRows: z.boolean(),
  tasks: z.array(Task),
  enrichment: Enrichment.optional(),
  beforePush: PrePushFacts.nullable(),
  pictures: z.number().int(),
  /** Number of open proposals, at most 10,000. */
  proposals: z.number().int(),
  /** The highest id of a proposal, or null. A proposal with a higher id was added later. */
  newestProposal: z.number().int().nullable(),
  /** Number of columns whose field the operator set, and of columns whose field was remembered from the file `from`. */
  mappingSet: z.object({
    byOperator: z.number().int(),
    byMemory: z.number().int(),
    from: z.string().nullable(),
  }),
  undone: z.number().int(),
  /** Null until the file has been read. Always null in test mode. */
  list: SupplierList.nullable(),
});
export type JobWithRows = z.infer<typeof JobWithRows>;

/** A cursor: the creation time of an import or product in microseconds since 1970, and its id. Opaque to clients. */
export const cursorPattern = /^\d{1,16}_[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Lists the newest 500 open and 200 ended imports. `before`: the `X-Next-Before` header of the previous page. */
export const listImports = route('listImports', {
  query: z.object({ before: z.string().regex(cursorPattern).optional() }),
  reply: z.array(Job),
});

/** `wait=1` delays the reply until the import has left the status `processing`, at most 1.8 s. */
const JobQuery = z.object({ rows: z.literal('0').optional(), wait: z.literal('1').optional() });

export const getImport = route('getImport', {
  query: JobQuery,
  reply: z.object({ success: z.literal(true), job: JobWithRows }),
});

export const getJob = route('getJob', { query: JobQuery, reply: JobWithRows });

export const ChangedJobReply = SuccessReply.extend({ job: Job });

export const pauseImport = route('pauseImport', { aliases: ['/api/jobs/:id/pause'], reply: ChangedJobReply });

export const resumeImport = route('resumeImport', {
  aliases: ['/api/jobs/:id/resume'],
  reply: ChangedJobReply,
});

/** Cancels an import or, during a re-read, only the re-read. With `only: 'reread'`, 409 if the re-read has ended. */
export const cancelImport = route('cancelImport', {
  aliases: ['/api/jobs/:id/cancel'],
  body: z.object({ only: z.literal('reread').optional() }).nullish(),
  reply: ChangedJobReply,
});

export const markImportReady = route('markImportReady', {
  aliases: ['/api/jobs/:id/ready'],
  reply: ChangedJobReply,
});

/**
 * `whenInStore`: what to do with products that the store has under another id; if absent, the saved preference
 * applies. The other fields answer open questions; a push is refused while a question is open. `readings` sends
 * columns with two readings as shown, `recipes` repeats no changes of earlier lists, and `supplier` null means that
 * the import is no supplier's list.
 */
export const pushImport = route('pushImport', {
  aliases: ['/api/jobs/:id/push-shopify', '/api/jobs/:id/push-to-shopify'],
  body: z
    .object({
      whenInStore: z.enum(matchChoices).optional(),
      recipes: z.literal('skip').optional(),
      readings: z.literal('as-read').optional(),
      supplier: z.null().optional(),
    })
    .nullish(),
  reply: ChangedJobReply,
});

/** Saves whether amounts in another currency are pushed. `send` pushes them unconverted. 409 if no question is open. */
export const answerOtherCurrency = route('answerOtherCurrency', {
  body: z.object({ answer: z.enum(['send', 'hold']) }),
  reply: ChangedJobReply,
});

export const answerAutoPush = route('answerAutoPush', {
  body: z.strictObject({ action: z.enum(['now', 'stop']) }),
  reply: ChangedJobReply,
});

export const stopAutoRetry = route('stopAutoRetry', { reply: ChangedJobReply });

export const retryImport = route('retryImport', {
  aliases: ['/api/queue/:id/retry'],
  reply: ChangedJobReply,
});

export const readAgain = route('readAgain', { reply: ChangedJobReply });

/** Begins to delete an import in the background. 409 while the import is processed, changed or pushed. */
export const deleteImport = route('deleteImport', { action: 'delete', reply: ChangedJobReply });
