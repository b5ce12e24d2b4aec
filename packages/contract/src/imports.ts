import { z } from 'zod';
import { route } from './route.ts';

/** An import's id; anything else in its place is an unknown import (404), never a fault of the server. */
export const ImportParams = z.object({ id: z.string() });

const Timestamp = z.iso.datetime();

const ShownDialect = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  quote: z.string(),
  headerRecord: z.number().int(),
});

/** An import as the specification's job, without row data. */
export const Job = z.object({
  id: z.uuid(),
  filename: z.string(),
  fileSize: z.number().int(),
  /** An import status; a string so that a newer server's status is shown as given. */
  status: z.string(),
  pausedFrom: z.string().nullable(),
  pausedBy: z.enum(['operator', 'store']).nullable(),
  failedIn: z.enum(['parse', 'enrich', 'push']).nullable(),
  progress: z.number().int().min(0).max(100),
  progressPercentage: z.number().int().min(0).max(100),
  processedProducts: z.number().int(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  validProducts: z.number().int(),
  warningProducts: z.number().int(),
  errorProducts: z.number().int(),
  /** created + updated + unchanged of the last push: 'N uploaded to Shopify'. */
  createdProducts: z.number().int(),
  outcomes: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
  }),
  testMode: z.boolean(),
  /** What the work waits for, in a sentence, or null when it does not wait. */
  waitingFor: z.string().nullable(),
  /** When the waiting work goes on. */
  waitingUntil: Timestamp.nullable(),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  /** The first 100 messages; in the queue list the first 3. `errorCount` is their true number. */
  errorLog: z.array(z.string()),
  errorCount: z.number().int(),
  errorMessage: z.string().nullable(),
  /** Canonical field → the header it is drawn from first, or null. */
  fieldMapping: z.record(z.string(), z.string().nullable()),
  /** How the current rows are read; null until the file has been read. */
  dialect: ShownDialect.nullable(),
  /** How the stored file is being read anew, or null. Until that has ended, the rows stay those of `dialect`. */
  rereading: ShownDialect.nullable(),
  /** Edits that are kept but found no row in this reading of the file. */
  editsWithoutRow: z.number().int(),
  /** The latest other import of the same bytes, or null. */
  sameAs: z.uuid().nullable(),
});
export type Job = z.infer<typeof Job>;

/**
 * A job with its first rows: by the original headers, and by the specification's row keys. Each list holds at most 1,000
 * rows and 2 MB of JSON. Both are absent with `?rows=0`, which is what screens poll.
 */
export const JobWithRows = Job.extend({
  csvData: z.array(z.record(z.string(), z.string())).optional(),
  processedData: z.array(z.record(z.string(), z.string())).optional(),
  /** How many rows the import has, or will have once its file has been read. */
  csvDataTotal: z.number().int(),
  /** Whether any of its rows can be read now. */
  hasRows: z.boolean(),
});
export type JobWithRows = z.infer<typeof JobWithRows>;

/** Header of the queue list: how many imports there are in all. */
export const totalCountHeader = 'x-total-count';

/** Header of the queue list: the `before` of the next older imports; absent where there are none. */
export const nextBeforeHeader = 'x-next-before';

/** A place in the queue: microseconds since 1970 and an import's id. To clients it is an opaque text. */
const queuePlace = /^\d{1,16}_[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * The queue list, newest first: the newest 500 imports that have not ended and the newest 200 that have. `before` pages
 * the others, 200 at a time; its value is that of `X-Next-Before` in the reply before.
 */
export const listImports = route({
  method: 'GET',
  path: '/api/queue',
  query: z.object({ before: z.string().regex(queuePlace).optional() }),
  reply: z.array(Job),
});

const JobQuery = z.object({ rows: z.literal('0').optional() });

export const getImport = route({
  method: 'GET',
  path: '/api/queue/:id',
  params: ImportParams,
  query: JobQuery,
  reply: z.object({ success: z.literal(true), job: JobWithRows }),
});

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/:id',
  params: ImportParams,
  query: JobQuery,
  reply: JobWithRows,
});

/** The reply of every call that moves an import's status (O5). */
export const Moved = z.object({ success: z.literal(true), message: z.string(), job: Job });

export const pauseImport = route({
  method: 'POST',
  path: '/api/queue/:id/pause',
  aliases: ['/api/jobs/:id/pause'],
  params: ImportParams,
  reply: Moved,
});

export const resumeImport = route({
  method: 'POST',
  path: '/api/queue/:id/resume',
  aliases: ['/api/jobs/:id/resume'],
  params: ImportParams,
  reply: Moved,
});

/**
 * Ends an import for good; while its stored file is read anew, ends that, and the import is as it was before. `only`:
 * nothing but the reading anew is meant, so that a 409 says when it has ended meanwhile.
 */
export const cancelImport = route({
  method: 'POST',
  path: '/api/queue/:id/cancel',
  aliases: ['/api/jobs/:id/cancel'],
  params: ImportParams,
  body: z.object({ only: z.literal('reread').optional() }).nullish(),
  reply: Moved,
});

export const markImportReady = route({
  method: 'POST',
  path: '/api/queue/:id/ready',
  aliases: ['/api/jobs/:id/ready'],
  params: ImportParams,
  reply: Moved,
});

export const pushImport = route({
  method: 'POST',
  path: '/api/queue/:id/push',
  aliases: ['/api/jobs/:id/push-shopify', '/api/jobs/:id/push-to-shopify'],
  params: ImportParams,
  reply: Moved,
});

export const retryImport = route({
  method: 'POST',
  path: '/api/jobs/:id/retry',
  aliases: ['/api/queue/:id/retry'],
  params: ImportParams,
  reply: Moved,
});
