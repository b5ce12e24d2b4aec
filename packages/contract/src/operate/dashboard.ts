import { activityTypes } from '@draftshelf/domain/imports/activity';
import { z } from 'zod';
import { Job } from '../imports/imports.ts';
import { route } from '../route.ts';

const count = z.number().int();

/** The counters since the last reset; `inQueue`: the imports that have not ended now. */
export const DashboardStats = z.object({
  filesProcessed: count,
  productsCreated: count,
  inQueue: count,
  errors: count,
});
export type DashboardStats = z.infer<typeof DashboardStats>;

export const getDashboardStats = route('getDashboardStats', {
  reply: DashboardStats,
});

export const ActivityItem = z.object({
  id: z.string(),
  type: z.enum(activityTypes),
  /** A sentence. */
  message: z.string(),
  createdAt: z.iso.datetime(),
  /** The import that it tells of; null if that was deleted, or if it tells of a single product. */
  importId: z.uuid().nullable(),
});
export type ActivityItem = z.infer<typeof ActivityItem>;

/** The newest 50 entries since the last reset, newest first. */
export const getDashboardActivity = route('getDashboardActivity', {
  reply: z.array(ActivityItem),
});

/** An import in Current Processing. A failed one has the status 'error'. */
export const CurrentJob = Job.pick({
  id: true,
  filename: true,
  status: true,
  isUndoing: true,
  changesGone: true,
  progress: true,
  processedProducts: true,
  totalProducts: true,
  failedIn: true,
  validProducts: true,
  warningProducts: true,
  errorProducts: true,
  outcomes: true,
  foundSincePush: true,
  waitingFor: true,
  waitingUntil: true,
  pace: true,
  createdAt: true,
  startedAt: true,
  errorMessage: true,
}).extend({
  /** It waits for a push, and the operator is asked something first: about a currency, columns, or recipes. */
  isAsking: z.boolean(),
  /** Prices and quantities of the operator in it that its supplier has changed since, and which are to be decided. */
  pricesToDecide: count,
});
export type CurrentJob = z.infer<typeof CurrentJob>;

/**
 * The newest 500 imports that have not ended, and those that completed or failed within the last minute; newest first.
 */
export const getDashboardCurrent = route('getDashboardCurrent', {
  reply: z.array(CurrentJob),
});

/** What pushes did within an hour. */
export const PushedHour = Job.shape.outcomes.extend({
  hour: z.iso.datetime(),
  /** Created products whose push was undone within it. */
  undone: count,
});
export type PushedHour = z.infer<typeof PushedHour>;

/** What pushes did in the last 15 days, by hour (UTC), oldest first, without hours in which nothing was pushed. */
export const getPushedHours = route('getPushedHours', {
  reply: z.array(PushedHour),
});

/** How many of the created products since the last reset are those of a push that was undone. */
export const getUndoneProducts = route('getUndoneProducts', {
  reply: z.object({ products: count }),
});

/** Clears the activity and sets the three counters to 0. Imports stay. */
export const resetDashboard = route('resetDashboard', {
  reply: z.object({ success: z.literal(true), message: z.string() }),
});

/** The first steps of an operator, as far as the server knows them. */
export const FirstSteps = z.object({
  /** A file has been brought in. */
  uploaded: z.boolean(),
  /** A value of a row has been changed. */
  fixed: z.boolean(),
  /** A product has been sent to a store. */
  pushed: z.boolean(),
  /** The newest import that waits for the operator, and its products with a problem; null if none waits. */
  waiting: z.object({ id: z.uuid(), problems: count }).nullable(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const getFirstSteps = route('getFirstSteps', {
  reply: FirstSteps,
});
