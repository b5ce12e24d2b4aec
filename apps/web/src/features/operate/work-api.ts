import { useQuery } from '@tanstack/react-query';
import { pollMs } from '../../api/polls.ts';
import { readOf } from '../../api/read.ts';

/** What runs, waits and has failed, polled while it is shown. */
export const useWork = () => useQuery({ ...readOf('listWork', {}), refetchInterval: pollMs.work });
