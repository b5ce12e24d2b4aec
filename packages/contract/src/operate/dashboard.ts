import { activityTypes } from '@draftshelf/domain/imports/activity';
import { z } from 'zod';
import { Job } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count, SuccessReply } from '../values.ts';

/** Counts since the last reset, except `inQueue`: the number of imports that have not ended. */
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
  message: z.string(),
  createdAt: z.iso.datetime(),
  /** Null if the import was deleted, or if the entry is about a single product. */
  importId: z.uuid().nullable(),
});
export type ActivityItem = z.infer<typeof ActivityItem>;

/** Lists the newest 50 entries since the last reset, newest first. */
export const getDashboardActivity = route('getDashboardActivity', {
  reply: z.array(ActivityItem),
});

/** A job on the dashboard. A failed import has the status 'error' here. */
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
  /** Whether the import's first push waits for an answer about a currency, columns or recipes. */
  isAsking: z.boolean(),
  /** Number of the operator's prices and quantities that the supplier has changed since the operator set them. */
  pricesToDecide: count,
});
export type CurrentJob = z.infer<typeof CurrentJob>;

/** Lists the newest 500 imports that have not ended, and those that completed or failed within the last minute. */
export const getDashboardCurrent = route('getDashboardCurrent', {
  reply: z.array(CurrentJob),
});

export const PushedHour = Job.shape.outcomes.extend({
  hour: z.iso.datetime(),
  undone: count,
});
export type PushedHour = z.infer<typeof PushedHour>;

/** Counts pushed products by hour (UTC) over the last 15 days, oldest first. Hours without pushes are absent. */
export const getPushedHours = route('getPushedHours', {
  reply: z.array(PushedHour),
});

export const getUndoneProducts = route('getUndoneProducts', {
  reply: z.object({ products: count }),
});

/** Clears the activity and sets the three counters to 0. Imports stay. */
export const resetDashboard = route('resetDashboard', {
  reply: SuccessReply,
});

export const FirstSteps = z.object({
  uploaded: z.boolean(),
  fixed: z.boolean(),
  pushed: z.boolean(),
  waiting: z.object({ id: z.uuid(), problems: count }).nullable(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const getFirstSteps = route('getFirstSteps', {
  reply: FirstSteps,
});
