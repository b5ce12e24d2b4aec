import type { ActivityItem, CurrentJob, PushedHour } from '@draftshelf/contract/operate/dashboard';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { fillActivity, fillCurrentImport, fillPushedHour } from '../../api/bare-replies.ts';
import { freshMs, pollMs, type Reply, readOf } from '../../api/call.ts';

export type ShownCurrent = CurrentJob;
export type ShownActivity = ActivityItem;
export type ShownHour = PushedHour;

const statsRead = () => queryOptions({ ...readOf('getDashboardStats'), staleTime: freshMs });
const activityRead = () =>
  queryOptions({
    ...readOf('getDashboardActivity', {}, (reply) => reply.map(fillActivity)),
    staleTime: freshMs,
  });
const currentRead = () =>
  queryOptions({
    ...readOf('getDashboardCurrent', {}, (reply) => reply.map(fillCurrentImport)),
    staleTime: freshMs,
  });
const pushedRead = () =>
  queryOptions({ ...readOf('getPushedHours', {}, (reply) => reply.map(fillPushedHour)), staleTime: freshMs });

export const dashboardReads = () => [statsRead(), activityRead(), currentRead(), pushedRead()];

export const useStats = () => useQuery({ ...statsRead(), refetchInterval: pollMs.dashboard });

export const useActivity = () => useQuery({ ...activityRead(), refetchInterval: pollMs.dashboard });

export const useCurrent = () => useQuery({ ...currentRead(), refetchInterval: pollMs.current });

/** Does not poll, because `useCurrent` and `useCurrentAnywhere` poll the same data. */
export const useKnownCurrentImports = () => useQuery(currentRead());

/** Polls more often while a push runs. Does not poll on the dashboard, where `useCurrent` polls. */
export const useCurrentAnywhere = ({ isOnDashboard }: { isOnDashboard: boolean }) =>
  useQuery({
    ...currentRead(),
    refetchInterval: ({ state }) => {
      if (isOnDashboard) return false;
      return state.data?.some(({ status }) => status === 'uploading') ? pollMs.current : pollMs.dashboard;
    },
  });

export const usePushedHours = () => useQuery(pushedRead());

/** Number of created products that were undone since the counts were reset. */
export const useUndoneCount = (version: string | null) => useVersion('getUndoneProducts', version)?.products;

export const useFirstSteps = (version: string | null) => useVersion('getFirstSteps', version);

/** Reads once per visit and again when `version` changes. Undefined before the first read, or if `version` is null. */
function useVersion<const N extends 'getUndoneProducts' | 'getFirstSteps'>(
  name: N,
  version: string | null,
): Reply<N> | undefined {
  const read = readOf<N>(name);
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, version],
    staleTime: freshMs,
    enabled: version !== null,
    placeholderData: keepPreviousData,
  }).data;
}
