import {
  ActivityItem,
  CurrentJob,
  getDashboardActivity,
  getDashboardCurrent,
  getDashboardStats,
  getFirstSteps,
  getPushedHours,
  getUndoneProducts,
  PushedHour,
  resetDashboard,
} from '@draftshelf/contract/operate/dashboard';
import { type ReplyOf, type Route, route } from '@draftshelf/contract/route';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { call } from './call.ts';
import { ShownImport } from './imports.ts';
import { freshMs, readKey, readOf } from './read.ts';

/** As specified. */
const statsPollMs = 5000;
const currentPollMs = 2000;

/** Fields that we add to the specification's have defaults, so a reply with only those can still be shown. */
const shown = ShownImport.shape;
const ShownCurrent = CurrentJob.extend({
  id: shown.id,
  failedIn: shown.failedIn,
  validProducts: shown.validProducts,
  warningProducts: shown.warningProducts,
  errorProducts: shown.errorProducts,
  outcomes: shown.outcomes,
  foundSincePush: shown.foundSincePush,
  waitingFor: shown.waitingFor,
  waitingUntil: shown.waitingUntil,
  pace: shown.pace,
  isUndoing: shown.isUndoing,
  createdAt: CurrentJob.shape.createdAt.nullable().default(null),
  startedAt: CurrentJob.shape.startedAt.default(null),
  errorMessage: CurrentJob.shape.errorMessage.default(null),
  isAsking: CurrentJob.shape.isAsking.default(false),
});
export type ShownCurrent = z.infer<typeof ShownCurrent>;

const ShownActivity = ActivityItem.extend({
  id: z.union([z.string(), z.number()]),
  /** A type that this version does not know looks like 'other'. */
  type: z.string(),
  importId: z.string().nullable().default(null),
});
export type ShownActivity = z.infer<typeof ShownActivity>;

/** A reply of an api without this count can still be shown. */
const ShownHour = PushedHour.extend({ undone: PushedHour.shape.undone.default(0) });
export type ShownHour = z.infer<typeof ShownHour>;

const readActivity = route({ ...getDashboardActivity, reply: z.array(ShownActivity) });
const readCurrent = route({ ...getDashboardCurrent, reply: z.array(ShownCurrent) });

const readPushed = route({ ...getPushedHours, reply: z.array(ShownHour) });

const statsRead = () => queryOptions({ ...readOf(getDashboardStats), staleTime: freshMs });
const activityRead = () => queryOptions({ ...readOf(readActivity), staleTime: freshMs });
const currentRead = () => queryOptions({ ...readOf(readCurrent), staleTime: freshMs });
const pushedRead = () => queryOptions({ ...readOf(readPushed), staleTime: freshMs });

/** All reads of the dashboard. */
export const dashboardReads = () => [statsRead(), activityRead(), currentRead(), pushedRead()];

export function useStats() {
  return useQuery({ ...statsRead(), refetchInterval: statsPollMs });
}

export function useActivity() {
  return useQuery({ ...activityRead(), refetchInterval: statsPollMs });
}

export function useCurrent() {
  return useQuery({ ...currentRead(), refetchInterval: currentPollMs });
}

/** The current imports, without polls of its own: `useCurrent` or `useCurrentAnywhere` follows them. */
export function useKnownCurrent() {
  return useQuery(currentRead());
}

/** Follows the current imports from every screen, more often while a push runs. The dashboard has its own polls. */
export function useCurrentAnywhere({ isOnDashboard }: { isOnDashboard: boolean }) {
  return useQuery({
    ...currentRead(),
    refetchInterval: ({ state }) => {
      if (isOnDashboard) return false;
      return state.data?.some(({ status }) => status === 'uploading') ? currentPollMs : statsPollMs;
    },
  });
}

/** Push outcomes by hour, read once per visit. */
export function usePushedHours() {
  return useQuery(pushedRead());
}

/** How many created products were undone since the reset; see `useVersion`. */
export const useUndone = (version: string | null) => useVersion(getUndoneProducts, version)?.products;

/** The first steps; see `useVersion`. */
export const useFirstSteps = (version: string | null) => useVersion(getFirstSteps, version);

/** A reply, read per visit and again when `version` changes; undefined before that, and for a null version. */
function useVersion<const R extends Route>(of: R, version: string | null): ReplyOf<R> | undefined {
  const read = readOf(of);
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    staleTime: freshMs,
    enabled: version !== null,
    placeholderData: keepPreviousData,
  }).data;
}

/** Clears activity and counters, then refreshes the dashboard. The specification sends a JSON header and no body. */
export function useReset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(route({ ...resetDashboard, reply: z.unknown() }), { emptyJson: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: readKey('/api/dashboard') }),
  });
}
